package import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// The thread that waits for the descriptors of all watchers in this process.
///
/// The thread starts with the first source and ends with the last one, unless a program waits on
/// its own thread (see ``EventHost``). The loop has no timer, so it sleeps in the kernel while no
/// event occurs.
package final class EventLoop: Sendable {
  /// The loop that all watchers in the process share.
  package static let shared = EventLoop()

  private struct State {
    /// The set of descriptors; `nil` if no source is watched.
    var poll: EventPoll?
    /// Notifies the host that it must start to wait.
    var host: (@Sendable () -> Void)?
    /// A Boolean value that indicates whether the host waits instead of the loop's own thread.
    var isHosted = false
    var sources: [UInt64: any EventSource] = [:]
    var lastID: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Watches a source until the source ends it, or the registration is cancelled or deallocated.
  ///
  /// - Returns: The registration.
  /// - Throws: `EMFILE`, `ENOMEM` or `ENOSPC` if the source cannot be watched, or `EAGAIN` if no
  ///   thread can be started.
  package func watch(_ source: any EventSource) throws(Errno) -> WatchRegistration {
    let (descriptor, interest) = (source.descriptor, source.interest)
    let (id, host) = try state.withLock { (state) throws(Errno) in
      let poll: EventPoll
      if let running = state.poll {
        poll = running
      } else {
        state.isHosted = state.host != nil
        poll = try state.isHosted ? EventPoll() : start()
      }
      state.poll = poll
      let host = state.isHosted && state.sources.isEmpty ? state.host : nil
      state.lastID += 1
      // If this fails, a thread that was just started finds no sources and ends.
      try poll.add(descriptor, interest, as: state.lastID)
      state.sources[state.lastID] = source
      return (state.lastID, host)
    }
    host?()
    return WatchRegistration(id, in: self)
  }

  /// Stops watching a source; after the last source is removed, the thread ends.
  ///
  /// If the loop is currently calling the source, the source is deallocated after that call.
  func remove(_ id: UInt64) {
    let source = state.withLock { state -> (any EventSource)? in
      guard let source = state.sources.removeValue(forKey: id), let poll = state.poll else {
        return nil
      }
      poll.remove(source.descriptor)
      if state.sources.isEmpty { poll.wake() }
      return source
    }
    // The source is released outside the lock, because its deinitializer may end other
    // registrations.
    _ = source
  }

  /// Stops waiting for a source, but keeps it.
  ///
  /// The descriptor is removed from the set. With an empty interest, errors would still wake the
  /// thread.
  func pause(_ id: UInt64) {
    state.withLock { state in
      guard let source = state.sources[id], let poll = state.poll else { return }
      poll.remove(source.descriptor)
    }
  }

  /// Waits again for a source that was paused.
  func resume(_ id: UInt64) throws(Errno) {
    try state.withLock { (state) throws(Errno) in
      guard let source = state.sources[id], let poll = state.poll else { return }
      do throws(Errno) {
        try poll.add(source.descriptor, source.interest, as: id)
      } catch .exists {
        // The source was not paused.
      }
    }
  }

  /// The number of sources.
  var count: Int { state.withLock { $0.sources.count } }

  /// A Boolean value that indicates whether the loop's thread or the host waits for events.
  var isRunning: Bool { state.withLock { $0.poll != nil } }

  /// A Boolean value that indicates whether the loop's own thread is running, not a host's.
  package var hasThread: Bool { state.withLock { $0.poll != nil && !$0.isHosted } }

  /// Starts the thread, which blocks on the lock until the caller releases it.
  private func start() throws(Errno) -> EventPoll {
    let poll = try EventPoll()
    try startThread(poll)
    return poll
  }

  private func startThread(_ poll: EventPoll) throws(Errno) {
    try DedicatedThread.run {
      unsafe clinux_become_event_thread("device-events")
      self.run(poll)
    }
  }

  private func run(_ poll: EventPoll) {
    var room = EventPoll.room
    while !isDone { turn(poll, &room) {} }
  }

  private func turn(_ poll: EventPoll, _ room: inout [clinux_ready], _ woken: () -> Void) {
    poll.wait(&room, woken) { id, events in
      // If the source was removed in the meantime, its ID no longer exists. IDs are not reused.
      guard let source = state.withLock({ $0.sources[id] }) else { return }
      if !source.handle(events) { remove(id) }
    }
  }

  private var isDone: Bool {
    state.withLock { state in
      guard state.sources.isEmpty else { return false }
      state.poll = nil
      return true
    }
  }
}

/// The operations of a host; see ``EventHost``.
extension EventLoop {
  /// Sets a host, which takes over the next time that a first source is watched.
  func setHost(_ begin: @escaping @Sendable () -> Void) {
    state.withLock { $0.host = begin }
  }

  /// Removes the host, and continues on the loop's own thread.
  func endHost() {
    let poll = state.withLock { state in
      state.host = nil
      guard state.isHosted else { return nil as EventPoll? }
      state.isHosted = false
      return state.poll
    }
    guard let poll else { return }
    _ = try? startThread(poll)
  }

  /// A Boolean value that indicates whether the host has events to wait for.
  ///
  /// If no source is left, reading this property also releases the poll.
  var isHosted: Bool {
    state.withLock { state in
      guard state.isHosted else { return false }
      if state.sources.isEmpty { state.poll = nil }
      return state.poll != nil
    }
  }

  /// Waits for the next events on the calling thread, which is the host's, and handles them.
  ///
  /// - Parameters:
  ///   - room: The buffer for the events.
  ///   - woken: Called after the wait, before the events are handled.
  func turn(_ room: inout [clinux_ready], _ woken: () -> Void) {
    if let poll = state.withLock({ $0.poll }) { turn(poll, &room, woken) } else { woken() }
  }

  /// Ends the current ``turn(_:_:)``, or the next one if none is in progress.
  func wake() { state.withLock { $0.poll }?.wake() }
}

/// An object whose descriptor the event loop waits for.
///
/// The object owns the descriptor, and must keep it open while the source is watched.
package protocol EventSource: AnyObject, Sendable {
  var descriptor: Int32 { get }
  /// The events to wait for: `CLINUX_READABLE`, `CLINUX_WRITABLE` or `CLINUX_URGENT`.
  ///
  /// Errors are always reported.
  var interest: UInt32 { get }

  /// Handles the events without blocking.
  ///
  /// The event loop calls it on its thread, one call at a time.
  ///
  /// - Returns: `true` to continue watching the source.
  func handle(_ events: UInt32) -> Bool
}

/// An event source that owns its descriptor and calls a closure when the descriptor is ready.
package final class DescriptorSource: EventSource {
  private let owned: OwnedDescriptor
  package let interest: UInt32
  private let body: @Sendable (_ descriptor: Int32, _ events: UInt32) -> Bool

  /// Takes ownership of a nonblocking descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor, which is closed when the source is deallocated.
  ///   - interest: The events to wait for.
  ///   - body: Handles the events, and returns whether to continue watching.
  init(
    _ descriptor: consuming OwnedDescriptor, interest: UInt32,
    _ body: @escaping @Sendable (_ descriptor: Int32, _ events: UInt32) -> Bool
  ) {
    owned = descriptor
    self.interest = interest
    self.body = body
  }

  package var descriptor: Int32 { owned.number }

  package func handle(_ events: UInt32) -> Bool { body(owned.number, events) }
}

/// The registration of a source in the event loop, which ends when this value is deallocated.
package final class WatchRegistration: Sendable {
  private let id: UInt64
  private let loop: EventLoop

  init(_ id: UInt64, in loop: EventLoop) {
    self.id = id
    self.loop = loop
  }

  deinit { loop.remove(id) }

  /// Stops reporting events until ``resume()`` is called; pending events stay queued.
  package func pause() { loop.pause(id) }

  /// Continues reporting events; events that are still pending are reported immediately.
  ///
  /// - Throws: `ENOMEM` or `ENOSPC`. The source then remains paused.
  package func resume() throws(Errno) { try loop.resume(id) }

  /// Stops watching; further calls have no effect.
  package func cancel() { loop.remove(id) }
}

/// Handles the events of all watchers in the process on one of the program's own threads.
///
/// Without a host, a separate thread handles them. If a program's tasks run on a single thread,
/// hosting avoids a thread switch for each event. Events are handled only while the thread is in
/// ``wait(_:_:)``. If the separate thread is already running when the host is created, it keeps its
/// watchers until the last one ends. When the host is deallocated, a separate thread takes over.
package final class EventHost: Sendable {
  private let loop: EventLoop

  /// Creates the host; a process can have only one.
  ///
  /// - Parameter begin: Called when the host must start to wait for events; it must not block.
  package convenience init(_ begin: @escaping @Sendable () -> Void) {
    self.init(of: .shared, begin)
  }

  init(of loop: EventLoop, _ begin: @escaping @Sendable () -> Void) {
    self.loop = loop
    loop.setHost(begin)
  }

  deinit { loop.endHost() }

  /// A Boolean value that indicates whether any events are being waited for.
  ///
  /// Access it only on the thread that waits.
  package var isNeeded: Bool { loop.isHosted }

  /// A buffer for the events that a wait reports.
  package struct Room: Sendable {
    fileprivate var ready = EventPoll.room

    package init() {}
  }

  /// Waits until an event occurs or ``wake()`` is called, and handles the events.
  ///
  /// - Parameters:
  ///   - room: The buffer for the events.
  ///   - woken: Called after the wait, before the events are handled.
  package func wait(_ room: inout Room, _ woken: () -> Void) { loop.turn(&room.ready, woken) }

  /// Ends the current wait, or the next one if none is in progress.
  package func wake() { loop.wake() }
}

/// A set of descriptors that one thread waits for.
///
/// It is an epoll instance (epoll(7)).
final class EventPoll: Sendable {
  private let set: OwnedDescriptor
  private let alarm: OwnedDescriptor

  /// The ID that ``wake()`` uses; source IDs are greater.
  private static let alarmID: UInt64 = 0

  init() throws(Errno) {
    set = try OwnedDescriptor(negated: clinux_poll_create())
    alarm = try OwnedDescriptor(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))
    try add(alarm.number, CLINUX_READABLE, as: Self.alarmID)
  }

  func add(_ descriptor: Int32, _ interest: UInt32, as id: UInt64) throws(Errno) {
    try Errno.check(negated: clinux_poll_add(set.number, descriptor, interest, id))
  }

  func remove(_ descriptor: Int32) {
    clinux_poll_remove(set.number, descriptor)
  }

  /// Ends the current wait, or the next one if none is in progress.
  func wake() {
    _ = eventfd_write(alarm.number, 1)
  }

  /// Checks that waiting works, without blocking.
  ///
  /// - Throws: The error that a seccomp filter returns.
  func tryOut() throws(Errno) {
    wake()
    var room = Self.room
    try Errno.check(negated: unsafe clinux_poll_wait(set.number, &room, Int32(room.count)))
  }

  /// A buffer for the events that one wait reports.
  static let room = [clinux_ready](repeating: clinux_ready(), count: 64)

  /// Waits until a descriptor is ready.
  ///
  /// - Parameters:
  ///   - ready: A buffer such as ``room``, which can be reused.
  ///   - woken: Called after the wait.
  ///   - body: Called with the ID and the events of each ready descriptor.
  func wait(
    _ ready: inout [clinux_ready], _ woken: () -> Void,
    _ body: (_ id: UInt64, _ events: UInt32) -> Void
  ) {
    let count = unsafe clinux_poll_wait(set.number, &ready, Int32(ready.count))
    woken()
    // A signal may interrupt the wait. Any other error, such as from a seccomp filter, would recur
    // immediately.
    if count < 0, Errno(negated: count) != .interrupted { FailurePause.wait() }
    for index in 0..<Int(max(count, 0)) {
      let event = ready[index]
      guard event.id == Self.alarmID else {
        body(event.id, event.events)
        continue
      }
      var value: eventfd_t = 0
      _ = unsafe eventfd_read(alarm.number, &value)
    }
  }
}

/// Delays the repetition of an operation that fails immediately, so as not to use a whole
/// processor.
enum FailurePause {
  /// The length of the pause in microseconds.
  private static let length: UInt32 = 100_000

  /// Blocks the thread for a tenth of a second.
  static func wait() { usleep(length) }
}

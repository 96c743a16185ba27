internal import AccessModel
internal import CLinux
internal import Synchronization

/// The one thread of this process that waits for the descriptors of all watchers.
///
/// It starts with the first source and ends with the last, unless a program has a thread of its own
/// wait: see ``EventHost``. It has no timer: while nothing happens it sleeps in the kernel.
final class EventLoop: Sendable {
  /// The loop that all watchers of the process share.
  static let shared = EventLoop()

  private struct State {
    /// `nil` while no thread runs, and while a host has nothing to wait for.
    var poll: EventPoll?
    /// Tells the host that there is something to wait for.
    var host: (@Sendable () -> Void)?
    /// Whether the host waits, and not a thread of this loop's own.
    var isHosted = false
    var sources: [UInt64: any EventSource] = [:]
    var lastID: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Watches a source until the registration is cancelled or freed, or the source ends it.
  ///
  /// - Throws: What keeps it from being watched: `EMFILE`, `ENOMEM`, `ENOSPC`, or `EAGAIN` when no
  ///   thread can be started.
  func watch(_ source: any EventSource) throws(Errno) -> WatchRegistration {
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
      // Where this fails, a thread that was just started finds nothing to do, and ends.
      try poll.add(descriptor, interest, as: state.lastID)
      state.sources[state.lastID] = source
      return (state.lastID, host)
    }
    host?()
    return WatchRegistration(id, in: self)
  }

  /// Stops watching; when the last source goes, the thread ends.
  ///
  /// Where the loop is just calling the source, it lives until it returns.
  func remove(_ id: UInt64) {
    let source = state.withLock { state -> (any EventSource)? in
      guard let source = state.sources.removeValue(forKey: id), let poll = state.poll else {
        return nil
      }
      poll.remove(source.descriptor)
      if state.sources.isEmpty { poll.wake() }
      return source
    }
    // Freed outside of the lock: its end may be the end of others.
    _ = source
  }

  /// Keeps a source without waiting for it.
  ///
  /// It leaves the set: one that waits for nothing else in it wakes the thread all the same.
  func pause(_ id: UInt64) {
    state.withLock { state in
      guard let source = state.sources[id], let poll = state.poll else { return }
      poll.remove(source.descriptor)
    }
  }

  /// Waits for a source again that was paused.
  func resume(_ id: UInt64) throws(Errno) {
    try state.withLock { (state) throws(Errno) in
      guard let source = state.sources[id], let poll = state.poll else { return }
      do throws(Errno) {
        try poll.add(source.descriptor, source.interest, as: id)
      } catch .exists {
        // It was not paused.
      }
    }
  }

  /// How many sources are watched.
  var count: Int { state.withLock { $0.sources.count } }

  /// Whether the thread runs.
  var isRunning: Bool { state.withLock { $0.poll != nil } }

  /// Whether a thread of its own waits, and no host.
  var hasThread: Bool { state.withLock { $0.poll != nil && !$0.isHosted } }

  /// Starts the thread, which can do nothing before the caller has left the lock.
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
      // One that was removed meanwhile is gone: numbers are never used again.
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

/// What a host does in place of the thread; see ``EventHost``.
extension EventLoop {
  /// Has another thread wait from the next time on that there is something to wait for.
  func setHost(_ begin: @escaping @Sendable () -> Void) {
    state.withLock { $0.host = begin }
  }

  /// Goes back to a thread of its own.
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

  /// Whether the host has something to wait for.
  var isHosted: Bool {
    state.withLock { state in
      guard state.isHosted else { return false }
      if state.sources.isEmpty { state.poll = nil }
      return state.poll != nil
    }
  }

  /// Waits for the next events on the calling thread, the host's, and has them handled.
  ///
  /// - Parameters:
  ///   - room: Room for them.
  ///   - woken: Is called before they are handled.
  func turn(_ room: inout [clinux_ready], _ woken: () -> Void) {
    if let poll = state.withLock({ $0.poll }) { turn(poll, &room, woken) } else { woken() }
  }

  /// Ends ``turn(_:_:)``, or the next one.
  func wake() { state.withLock { $0.poll }?.wake() }
}

internal import AccessModel
internal import CLinux
internal import Synchronization

/// The thread that waits for the descriptors of all watchers in this process.
///
/// The thread starts with the first source and ends with the last one, unless a program waits on
/// its own thread (see ``EventHost``). The loop has no timer, so it sleeps in the kernel while no
/// event occurs.
final class EventLoop: Sendable {
  /// The loop that all watchers in the process share.
  static let shared = EventLoop()

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
  var hasThread: Bool { state.withLock { $0.poll != nil && !$0.isHosted } }

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

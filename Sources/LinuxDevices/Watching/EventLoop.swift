internal import AccessModel
internal import CLinux
internal import Synchronization

/// The one thread of this process that waits for the descriptors of all watchers.
///
/// It starts with the first source and ends with the last. It has no timer: while nothing happens
/// it sleeps in the kernel.
final class EventLoop: Sendable {
  /// The loop that all watchers of the process share.
  static let shared = EventLoop()

  private struct State {
    /// `nil` while no thread runs.
    var poll: EventPoll?
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
    let id = try state.withLock { (state) throws(Errno) in
      let poll: EventPoll
      if let running = state.poll { poll = running } else { poll = try start() }
      state.poll = poll
      state.lastID += 1
      // Where this fails, a thread that was just started finds nothing to do, and ends.
      try poll.add(descriptor, interest, as: state.lastID)
      state.sources[state.lastID] = source
      return state.lastID
    }
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

  /// How many sources are watched.
  var count: Int { state.withLock { $0.sources.count } }

  /// Whether the thread runs.
  var isRunning: Bool { state.withLock { $0.poll != nil } }

  /// Starts the thread, which can do nothing before the caller has left the lock.
  private func start() throws(Errno) -> EventPoll {
    let poll = try EventPoll()
    try DedicatedThread.run {
      unsafe clinux_become_event_thread("device-events")
      self.run(poll)
    }
    return poll
  }

  private func run(_ poll: EventPoll) {
    var room = EventPoll.room
    while !isDone(poll) {
      poll.wait(&room) { id, events in
        // One that was removed meanwhile is gone: numbers are never used again.
        guard let source = state.withLock({ $0.sources[id] }) else { return }
        if !source.handle(events) { remove(id) }
      }
    }
  }

  private func isDone(_ poll: EventPoll) -> Bool {
    state.withLock { state in
      guard state.sources.isEmpty else { return false }
      state.poll = nil
      return true
    }
  }
}

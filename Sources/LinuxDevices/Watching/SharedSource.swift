internal import AccessModel
internal import Synchronization

/// One source that tells any number of watchers, for as long as there is one.
///
/// Each of its own would take descriptors from the process, and from its user one of the few instances
/// of inotify(7), which all programs of the user share (`fs.inotify.max_user_instances`).
final class SharedSource: Sendable {
  /// That the system has slept.
  static let sleeps = SharedSource { tell throws(Errno) in try SleepWatch.source(tell) }

  /// The place of one watcher, which ends with this value.
  final class Registration: Sendable {
    private let id: UInt64
    private let source: SharedSource

    fileprivate init(_ id: UInt64, in source: SharedSource) {
      self.id = id
      self.source = source
    }

    deinit { source.remove(id) }

    /// Stops telling, but for what is just being told; a second time does nothing.
    func cancel() { source.remove(id) }
  }

  private struct State {
    var bodies: [UInt64: @Sendable () -> Void] = [:]
    var lastID: UInt64 = 0
    var registration: WatchRegistration?
  }

  private let state = Mutex(State())
  private let make: @Sendable (@escaping @Sendable () -> Void) throws(Errno) -> any EventSource

  /// - Parameter make: Makes the source, which calls the closure that it gets.
  init(
    _ make: @escaping @Sendable (@escaping @Sendable () -> Void) throws(Errno) -> any EventSource
  ) {
    self.make = make
  }

  /// Has a closure called, mostly on the event loop's thread, each time that the source tells something.
  ///
  /// - Throws: What keeps the source from being made or watched.
  func watch(_ body: @escaping @Sendable () -> Void) throws(Errno) -> Registration {
    try state.withLock { (state) throws(Errno) in
      if state.registration == nil {
        state.registration = try EventLoop.shared.watch(make { [weak self] in self?.tell() })
      }
      state.lastID += 1
      state.bodies[state.lastID] = body
      return Registration(state.lastID, in: self)
    }
  }

  /// How many watchers there are.
  var count: Int { state.withLock { $0.bodies.count } }

  private func tell() {
    let bodies = state.withLock { Array($0.bodies.values) }
    for body in bodies { body() }
  }

  private func remove(_ id: UInt64) {
    let registration = state.withLock { state -> WatchRegistration? in
      guard state.bodies.removeValue(forKey: id) != nil, state.bodies.isEmpty else { return nil }
      defer { state.registration = nil }
      return state.registration
    }
    // Outside of the lock, which the source may be waiting for to tell something.
    registration?.cancel()
  }
}

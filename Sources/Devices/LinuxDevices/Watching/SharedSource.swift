internal import AccessModel
internal import Synchronization

/// An event source that any number of watchers share, and that exists while there is at least one.
///
/// A separate source for each watcher would use more descriptors, and more of the user's few
/// inotify(7) instances, which all programs of the user share (`fs.inotify.max_user_instances`).
final class SharedSource: Sendable {
  /// A source that reports each time the system has slept.
  static let sleeps = SharedSource { tell throws(Errno) in try SleepWatch.source(tell) }

  /// The registration of one watcher, which ends when this value is deallocated.
  final class Registration: Sendable {
    private let id: UInt64
    private let source: SharedSource

    fileprivate init(_ id: UInt64, in source: SharedSource) {
      self.id = id
      self.source = source
    }

    deinit { source.remove(id) }

    /// Stops further calls, although a call in progress may continue; calling it again has no
    /// effect.
    func cancel() { source.remove(id) }
  }

  private struct State {
    var bodies: [UInt64: @Sendable () -> Void] = [:]
    var lastID: UInt64 = 0
    var registration: WatchRegistration?
  }

  private let state = Mutex(State())
  private let make: @Sendable (@escaping @Sendable () -> Void) throws(Errno) -> any EventSource

  /// Creates a shared source without watchers.
  ///
  /// - Parameter make: Creates the underlying source, which calls the given closure after each
  ///   event.
  init(
    _ make: @escaping @Sendable (@escaping @Sendable () -> Void) throws(Errno) -> any EventSource
  ) {
    self.make = make
  }

  /// Calls a closure after each event of the source, usually on the event loop's thread.
  ///
  /// - Throws: The error that prevents creating or watching the source.
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

  /// The number of watchers.
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
    // The registration is cancelled outside the lock, because the source may be waiting for the
    // lock.
    registration?.cancel()
  }
}

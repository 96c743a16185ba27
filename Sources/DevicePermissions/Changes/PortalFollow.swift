internal import LinuxDevices
internal import Synchronization

/// Says when the stored answer of a camera portal has become another, until it goes.
final class PortalFollow: Sendable {
  private let task: Task<Void, Never>
  private let end: End

  private final class End: Sendable {
    let isReached = Atomic(false)
  }

  /// Begins to follow it; nothing is started for that.
  ///
  /// - Parameters:
  ///   - portal: The portal.
  ///   - application: Whose answer it is.
  ///   - tell: Called once it is followed, each time it has become another, and when it can be followed no
  ///     longer: what was read before may not be true any more.
  init(_ portal: any CameraPortal, of application: String, _ tell: @escaping @Sendable () -> Void) {
    let end = End()
    self.end = end
    task = Task(name: "stored answer") {
      var isFollowed = false
      for await _ in portal.memories(of: application) {
        isFollowed = true
        tell()
      }
      end.isReached.store(true, ordering: .releasing)
      if isFollowed, !Task.isCancelled { tell() }
    }
  }

  deinit { task.cancel() }

  /// Whether it is not followed any more, as when the message bus has ended.
  var isOver: Bool { end.isReached.load(ordering: .acquiring) }
}

internal import LinuxDevices
internal import Synchronization

/// Follows the stored answer of a camera portal until this object is destroyed.
final class PortalFollow: Sendable {
  private let task: Task<Void, Never>
  private let end: End

  private final class End: Sendable {
    let isReached = Atomic(false)
  }

  /// Starts to follow the answer, without starting a service.
  ///
  /// - Parameters:
  ///   - portal: The portal.
  ///   - application: The identifier of the application whose answer is followed.
  ///   - tell: Called when following has begun, after each change, and when the answer can no
  ///     longer be followed, because the last one may then be outdated.
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

  /// A Boolean value that indicates whether the answer is no longer followed, for example because
  /// the message bus has exited.
  var isOver: Bool { end.isReached.load(ordering: .acquiring) }
}

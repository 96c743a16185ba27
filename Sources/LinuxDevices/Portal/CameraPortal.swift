/// A desktop's camera portal, or one that a test made up.
public protocol CameraPortal: Sendable {
  /// Tells what is known without asking a person, and without starting anything.
  ///
  /// Blocks for as long as the message bus takes, at most two seconds.
  ///
  /// - Parameter application: Whose stored answer to read; `nil` where the identifier is not known,
  ///   so that no answer is taken for its own.
  /// - Returns: Whether there is a portal, and what is stored.
  func status(of application: String?) -> PortalStatus

  /// Asks for the camera; the portal may be started, and may ask a person.
  ///
  /// It ends with the timeout of the request, and with the caller's task, which takes the dialog
  /// back.
  func request(_ request: PortalRequest) async -> PortalReply

  /// What the permission store holds: as it is now, and each time it has changed.
  ///
  /// Nothing is started. The stream ends with the message bus.
  func memories(of application: String) -> AsyncStream<PortalMemory>

  /// Stores an answer for an application, or forgets it; the permission store may be started.
  ///
  /// - Parameters:
  ///   - answer: The answer; `nil` to have the portal ask again.
  ///   - application: The application; the empty one stands for all programs outside a sandbox that
  ///     the portal does not know.
  /// - Throws: `unavailable` where there is no store, or it does not take the answer.
  func store(
    _ answer: PortalStoredAnswer?, for application: String
  ) async throws(DeviceError)
}

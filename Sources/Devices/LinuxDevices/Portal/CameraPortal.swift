/// A desktop's camera portal, or a substitute for tests.
public protocol CameraPortal: Sendable {
  /// Returns the portal's status without prompting the user and without starting any service.
  ///
  /// Blocks until the message bus replies, at most two seconds.
  ///
  /// - Parameter application: The application whose stored answer to read; `nil` if its identifier
  ///   is unknown. No answer is read then.
  /// - Returns: The availability of the portal, and the stored answer.
  func status(of application: String?) -> PortalStatus

  /// Requests access to the camera, which may start the portal and prompt the user.
  ///
  /// When the request times out or the caller's task is cancelled, the dialog is closed.
  func request(_ request: PortalRequest) async -> PortalReply

  /// Returns a stream of the permission store's contents: the current answer, and each new one.
  ///
  /// No service is started. The stream ends when the connection to the message bus ends.
  func memories(of application: String) -> AsyncStream<PortalMemory>

  /// Stores or deletes the answer for an application, which may start the permission store.
  ///
  /// - Parameters:
  ///   - answer: The answer; `nil` to make the portal ask again.
  ///   - application: The identifier of the application. The empty string identifies all programs
  ///     that are not sandboxed and that the portal does not recognize.
  /// - Throws: `unavailable` if there is no permission store or it rejects the change.
  func store(
    _ answer: PortalStoredAnswer?, for application: String
  ) async throws(DeviceError)
}

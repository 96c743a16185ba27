/// A desktop's file chooser, or a substitute for tests.
public protocol FilePortal: Sendable {
  /// Asks the user to choose files, which may start the portal.
  ///
  /// When the request times out or the caller's task is cancelled, the dialog is closed.
  ///
  /// - Parameter request: The contents of the dialog.
  /// - Returns: The chosen files, which have not been inspected, or the reason why there are none.
  func choose(_ request: PortalFileRequest) async -> PortalFileReply
}

/// A desktop's file chooser, or one that a test made up.
public protocol FilePortal: Sendable {
  /// Has a person choose files; the portal may be started.
  ///
  /// It ends with the timeout of the request, and with the caller's task, which takes the dialog
  /// back.
  ///
  /// - Parameter request: What the dialog shows.
  /// - Returns: The files, none of which was looked at; or why there are none.
  func choose(_ request: PortalFileRequest) async -> PortalFileReply
}

/// A request to the file chooser.
public struct PortalFileRequest: Hashable, Sendable {
  /// The title of the dialog.
  public var title: String
  /// The label of the accept button, with `_` before the mnemonic key; `nil` for the default label.
  public var acceptLabel: String?
  /// The absolute path of the directory to show first; `nil` to let the portal choose.
  ///
  /// A path that no system call accepts is ignored.
  public var folder: String?
  /// The application identifier to register with the portal first; see
  /// ``PortalRequest/application``.
  public var application: String?
  /// The total time to wait for the user and the portal.
  public var timeout: Duration

  /// Creates a request.
  public init(
    title: String, acceptLabel: String? = nil, folder: String? = nil, application: String? = nil,
    timeout: Duration = .seconds(600)
  ) {
    self.title = title
    self.acceptLabel = acceptLabel
    self.folder = folder
    self.application = application
    self.timeout = timeout
  }
}

/// What to ask the portal of files for.
public struct PortalFileRequest: Hashable, Sendable {
  /// The title of the dialog.
  public var title: String
  /// The label of the button that ends it, in which `_` marks a key; `nil` for the portal's own.
  public var acceptLabel: String?
  /// The absolute path of the directory that is shown first; `nil` to leave it to the portal, as with
  /// one that no system call takes.
  public var folder: String?
  /// The application identifier to register with the portal first, as ``PortalRequest/application``.
  public var application: String?
  /// How long to wait for the person and the portal together.
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

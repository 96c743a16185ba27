/// The options of the dialog in which the user chooses files of the album.
public struct AlbumSelectionRequest: Hashable, Sendable {
  /// The title of the dialog.
  public var title: String
  /// The label of the button that confirms the choice, in which `_` marks the access key; `nil` for
  /// the desktop's own label.
  public var acceptLabel: String?
  /// The absolute path of the directory that the dialog shows first; `nil` for the pictures
  /// directory.
  public var folder: String?
  /// The longest time to wait for the user, and for the programs that ask the user.
  public var timeout: Duration
  /// The application identifier to register with the portal; `nil` to leave it to the portal.
  public var application: String?

  /// Creates a request.
  public init(
    title: String = "Choose pictures", acceptLabel: String? = nil, folder: String? = nil,
    timeout: Duration = .seconds(600), application: String? = nil
  ) {
    self.title = title
    self.acceptLabel = acceptLabel
    self.folder = folder
    self.timeout = timeout
    self.application = application
  }
}

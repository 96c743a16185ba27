/// The location of the user's pictures directory, and the source of that location.
public struct AlbumFacts: Hashable, Sendable, Codable {
  /// The source of the location of the pictures directory.
  public enum Source: String, Hashable, Sendable, Codable {
    /// `XDG_PICTURES_DIR` in the environment.
    case environment
    /// `XDG_PICTURES_DIR` in `user-dirs.dirs`.
    case userDirectories = "user-dirs.dirs"
    /// No configured location: the directory is `Pictures` in the home directory.
    case `default`
  }

  /// The absolute path of the directory; `nil` if there is no home directory to start from.
  public var path: String?
  /// The source of the location.
  public var source: Source
  /// The problem with the configuration, as one clause; `nil` if there is none.
  public var problem: String?

  /// Creates the location of a pictures directory, which need not exist.
  public init(path: String?, source: Source, problem: String? = nil) {
    self.path = path
    self.source = source
    self.problem = problem
  }
}

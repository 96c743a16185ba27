/// Where the user's pictures directory is, and who says so.
public struct AlbumFacts: Hashable, Sendable, Codable {
  /// Who says where the pictures directory is.
  public enum Source: String, Hashable, Sendable, Codable {
    /// `XDG_PICTURES_DIR` in the environment.
    case environment
    /// `XDG_PICTURES_DIR` in `user-dirs.dirs`.
    case userDirectories = "user-dirs.dirs"
    /// Nothing names one: `Pictures` in the home directory.
    case `default`
  }

  /// Absolute; `nil` when there is no home directory to start from.
  public var path: String?
  /// Who says so.
  public var source: Source
  /// What was wrong with the configuration, as one clause.
  public var problem: String?

  /// Creates the place of a pictures directory, whether or not it exists.
  public init(path: String?, source: Source, problem: String? = nil) {
    self.path = path
    self.source = source
    self.problem = problem
  }
}

/// One question about access with everything that the kernel's decision looks at, and no more.
///
/// A case needs no machine and no privilege to be decided. Its JSON form is the documented case
/// format, one object a line. `unobserved` members are an extension of that format for facts
/// that were read from a machine; absent, they mean that all was observed. `userns`, `devcg`
/// and `idmap` are null where there is none; absent, they were not observed, nor is `fs_userns` beside
/// an `idmap`.
public struct AccessCase: Hashable, Sendable {
  /// A setting of the kernel that could not be observed.
  public enum Setting: String, Hashable, Sendable, Codable {
    /// `fs.protected_symlinks`.
    case protectedSymlinks = "protected_symlinks"
    /// `fs.protected_regular`.
    case protectedRegular = "protected_regular"
    /// `fs.protected_fifos`.
    case protectedFifos = "protected_fifos"
  }

  /// A number that tells the cases of a file apart; the decision does not look at it.
  public var id: Int
  /// `fs.protected_symlinks`.
  public var protectedSymlinks: Bool
  /// `fs.protected_regular`, 0 to 2: whether `O_CREAT` may open somebody else's file in a sticky
  /// directory.
  public var protectedRegular = 0
  /// `fs.protected_fifos`, 0 to 2: the same for a fifo.
  public var protectedFifos = 0
  /// The settings whose value is unknown; the properties that hold them count for nothing.
  public var unobserved: Set<Setting> = []
  /// The mounts that the path crosses.
  ///
  /// The first is at `/`; a later one covers an earlier one at
  /// the same place.
  public var mounts: [Mount]
  /// Every object on the way, parents included.
  ///
  /// A path that is not listed does not exist, unless
  /// its directory says that its contents were not observed.
  public var nodes: [Node]
  /// The thread that asks.
  public var subject: Subject
  /// The call that it makes.
  public var request: Request

  /// Creates a case of which everything was observed, with `fs.protected_regular` and
  /// `fs.protected_fifos` at 0.
  public init(
    id: Int = 0, protectedSymlinks: Bool, mounts: [Mount], nodes: [Node], subject: Subject,
    request: Request
  ) {
    self.id = id
    self.protectedSymlinks = protectedSymlinks
    self.mounts = mounts
    self.nodes = nodes
    self.subject = subject
    self.request = request
  }
}

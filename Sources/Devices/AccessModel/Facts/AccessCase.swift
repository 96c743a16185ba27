/// A question about access, with all the facts that the kernel's decision depends on and no others.
///
/// Deciding a case requires no privileges and does not access the machine. The JSON form is the
/// documented case format, with one object per line.
///
/// The `unobserved` members extend that format for facts that were read from a machine. If they are
/// absent, everything was observed. A null `userns`, `devcg` or `idmap` means that there is none.
/// If the key is absent, the value was not observed. The same applies to `fs_userns` if the mount
/// has an `idmap`.
public struct AccessCase: Hashable, Sendable {
  /// A kernel setting that could not be observed.
  public enum Setting: String, Hashable, Sendable, Codable {
    /// `fs.protected_symlinks`.
    case protectedSymlinks = "protected_symlinks"
    /// `fs.protected_regular`.
    case protectedRegular = "protected_regular"
    /// `fs.protected_fifos`.
    case protectedFifos = "protected_fifos"
  }

  /// A number that identifies the case within a file; it does not affect the decision.
  public var id: Int
  /// `fs.protected_symlinks`.
  public var protectedSymlinks: Bool
  /// The value of `fs.protected_regular`, from 0 to 2.
  ///
  /// It determines whether `O_CREAT` may open another user's regular file in a sticky directory.
  public var protectedRegular = 0
  /// The value of `fs.protected_fifos`, from 0 to 2, which restricts `O_CREAT` on FIFOs in the same
  /// way.
  public var protectedFifos = 0
  /// The settings that could not be observed; the values of their properties are ignored.
  public var unobserved: Set<Setting> = []
  /// The mounts that the path crosses.
  ///
  /// The first mount is at `/`. If two mounts have the same mount point, the later one covers the
  /// earlier one.
  public var mounts: [Mount]
  /// The objects on the path, including all parent directories.
  ///
  /// A path that is not listed does not exist, unless the contents of its directory were not
  /// observed.
  public var nodes: [Node]
  /// The thread that makes the request.
  public var subject: Subject
  /// The system call that the thread makes.
  public var request: Request

  /// Creates a fully observed case in which `fs.protected_regular` and `fs.protected_fifos` are 0.
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

internal import AccessModel
internal import Glibc

/// The confinement of the calling thread as far as procfs shows it, for comparison only.
///
/// procfs does not show Landlock domains, so equal stamps do not prove equal confinement.
struct ConfinementStamp: Equatable, Sendable {
  private static let folder = "/proc/thread-self"
  private static let namespaceNames = ["cgroup", "mnt", "user"]

  private let status: ThreadStatus
  private let controlGroups: [UInt8]
  /// The label of the security module; `nil` if no module has labels.
  private let label: String?
  private let namespaces: [String]
  /// The identity of `/`, because the link `root` in procfs has the same target for every root.
  private let root: FileIdentity

  /// Reads the confinement of the calling thread.
  ///
  /// - Throws: The error from reading a file, without which stamps cannot be compared.
  init() throws(Errno) {
    // The limit is enough for a thread with the maximum number of groups.
    status = ThreadStatus(
      parsing: try BoundedFile.read("\(Self.folder)/status", limit: 1 << 20).bytes)
    controlGroups = try BoundedFile.read("\(Self.folder)/cgroup", limit: 1 << 16).bytes
    label = LabelObserver(roots: MachineRoots()).label(of: Self.folder)
    var namespaces: [String] = []
    for name in Self.namespaceNames {
      guard let target = try SymbolicLink.read("\(Self.folder)/ns/\(name)") else {
        throw .noSuchFile
      }
      namespaces.append(target)
    }
    self.namespaces = namespaces
    root = try OpenFile(following: "/", in: AT_FDCWD).identity
  }
}

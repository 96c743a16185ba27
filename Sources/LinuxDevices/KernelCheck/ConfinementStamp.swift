internal import AccessModel
internal import Glibc

/// What procfs tells of what confines the calling thread, as it is compared and not explained.
///
/// A Landlock domain is in no file, so that the same stamp does not prove the same confinement.
struct ConfinementStamp: Equatable, Sendable {
  private static let folder = "/proc/thread-self"
  private static let namespaceNames = ["cgroup", "mnt", "user"]

  private let status: ThreadStatus
  private let controlGroups: [UInt8]
  /// `nil` without a security module.
  private let label: String?
  private let namespaces: [String]
  /// What is at `/`, because the link `root` of the folder reads the same everywhere.
  private let root: FileIdentity

  /// Reads that of the calling thread.
  ///
  /// - Throws: The error number of what could not be read, without which nothing can be compared.
  init() throws(Errno) {
    // As long as a thread's with the most groups.
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

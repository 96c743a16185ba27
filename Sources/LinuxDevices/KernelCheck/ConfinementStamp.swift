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
  private let label: [UInt8]?
  private let namespaces: [String]
  /// What is at `/`, because the link `root` of the folder reads the same everywhere.
  private let root: FileIdentity

  /// Reads that of the calling thread.
  ///
  /// - Throws: The error number of what could not be read, without which nothing can be compared.
  init() throws(Errno) {
    status = ThreadStatus(parsing: try Self.bytes("status"))
    controlGroups = try Self.bytes("cgroup")
    label = try? Self.bytes("attr/current")
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

  private static func bytes(_ name: String) throws(Errno) -> [UInt8] {
    try BoundedFile.read("\(folder)/\(name)", limit: 1 << 16).bytes
  }
}

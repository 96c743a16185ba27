internal import AccessModel
internal import Glibc

/// What procfs tells of what confines the calling thread, as it is compared and not explained.
///
/// A Landlock domain is in no file, so that the same stamp does not prove the same confinement.
struct ConfinementStamp: Equatable, Sendable {
  private static let folder = "/proc/thread-self"
  private static let links = ["ns/cgroup", "ns/mnt", "ns/user", "root"]

  private let status: ThreadStatus
  private let controlGroups: [UInt8]
  /// `nil` without a security module.
  private let label: [UInt8]?
  private let places: [String]

  /// Reads that of the calling thread.
  ///
  /// - Throws: The error number of what could not be read, without which nothing can be compared.
  init() throws(Errno) {
    status = ThreadStatus(parsing: try Self.bytes("status"))
    controlGroups = try Self.bytes("cgroup")
    label = try? Self.bytes("attr/current")
    var places: [String] = []
    for link in Self.links {
      guard let target = try SymbolicLink.read("\(Self.folder)/\(link)") else { throw .noSuchFile }
      places.append(target)
    }
    self.places = places
  }

  private static func bytes(_ name: String) throws(Errno) -> [UInt8] {
    try BoundedFile.read("\(folder)/\(name)", limit: 1 << 16).bytes
  }
}

/// The features that generated cases may use, which depend on the kernel.
public struct GeneratorOptions: Sendable {
  /// The values of fs.protected_symlinks to choose from.
  public var protectedSymlinks: [Bool] = [true, false]
  /// The values of fs.protected_regular to choose from.
  public var protectedRegular: [Int] = [0, 1, 2]
  /// The values of fs.protected_fifos to choose from.
  public var protectedFifos: [Int] = [0, 1, 2]
  /// A Boolean value that indicates whether cases may have device cgroups (version 1).
  public var deviceCgroups = true
  /// A Boolean value that indicates whether cases may have ID-mapped mounts (tmpfs since Linux
  /// 6.3).
  public var idMappedMounts = true
  /// A Boolean value that indicates whether cases may have inode flags (tmpfs since Linux 6.6).
  public var inodeFlags = true
  /// The number of subjects per batch.
  public var subjects = 8
  /// The number of requests per subject.
  public var requests = 10

  public init() {}

  /// The number of cases per batch.
  public var casesPerBatch: Int { subjects * requests }
}

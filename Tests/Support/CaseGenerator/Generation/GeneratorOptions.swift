/// What the generator may use; a kernel that lacks something gets cases without it.
public struct GeneratorOptions: Sendable {
  /// The values of fs.protected_symlinks to choose from.
  public var protectedSymlinks: [Bool] = [true, false]
  /// The values of fs.protected_regular to choose from.
  public var protectedRegular: [Int] = [0, 1, 2]
  /// The values of fs.protected_fifos to choose from.
  public var protectedFifos: [Int] = [0, 1, 2]
  /// Whether version 1 device lists may occur.
  public var deviceCgroups = true
  /// Whether id-mapped mounts may occur; tmpfs can be one since Linux 6.3.
  public var idMappedMounts = true
  /// Whether immutable and append-only inodes may occur; tmpfs has them since Linux 6.6.
  public var inodeFlags = true
  /// Subjects for each tree.
  public var subjects = 8
  /// Requests of each subject.
  public var requests = 10

  public init() {}

  /// Cases in each batch.
  public var casesPerBatch: Int { subjects * requests }
}

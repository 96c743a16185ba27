/// What the generator may use; a kernel that lacks something gets cases without it.
public struct GeneratorOptions: Sendable {
  /// The values of fs.protected_symlinks to choose from.
  public var protectedSymlinks: [Bool] = [true, false]
  /// Whether version 1 device lists may occur.
  public var deviceCgroups = true
  /// Subjects for each tree.
  public var subjects = 10
  /// Requests of each subject.
  public var requests = 12

  public init() {}

  /// Cases in each batch.
  public var casesPerBatch: Int { subjects * requests }
}

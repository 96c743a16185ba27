import Glibc
import Testing

/// The features of the program `broken-system` that work on this machine.
enum BrokenSystem {
  /// A Boolean value that indicates whether a child process can have its own mounts, as root or in
  /// a user namespace.
  static let hasMounts = works("--hide /sys")

  /// A Boolean value that indicates whether a child process can have a filesystem that does not
  /// respond.
  static let hasSilence = works("--silent /mnt")

  private static func works(_ options: String) -> Bool {
    (try? Product.run("$broken \(options) -- /bin/true"))?.status == 0
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test that hides a part of the system.
  static var requiresPrivateMounts: Self {
    .enabled(
      if: BrokenSystem.hasMounts,
      "it hides directories, which takes root or a user namespace, and a root that is a mount")
  }

  /// Skips a test that mounts a filesystem served by a program.
  static var requiresSilentFilesystem: Self {
    .enabled(
      if: BrokenSystem.hasSilence,
      "it mounts a filesystem that a program serves, which takes /dev/fuse and a root that is a mount"
    )
  }

  /// Skips a test that runs the command as another user.
  static var requiresRoot: Self {
    .enabled(if: geteuid() == 0, "it changes the user, which takes root")
  }
}

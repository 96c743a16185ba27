import Foundation
import Glibc
package import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test that changes credentials.
  package static var requiresRoot: Self {
    .enabled(if: geteuid() == 0, "it changes credentials, which takes root")
  }

  /// Skips a test that changes mounts of its own.
  ///
  /// In a chroot(2) into a plain directory the mount of `/` cannot be named, and so not be made
  /// private: what a test mounts would be seen outside.
  package static var requiresPrivateMounts: Self {
    .enabled(
      if: geteuid() == 0 && isRootAMount,
      "it changes mounts, which takes root and a root directory that is a mount")
  }

  /// Skips a test that makes a user namespace, which the kernel refuses in a chroot(2)
  /// (create_user_ns).
  package static var requiresUserNamespace: Self {
    .enabled(
      if: geteuid() == 0 && isRootAMount,
      "it makes a user namespace, which takes root and a root directory that is a mount")
  }

  /// Skips a test that finds files by their handles, which the root user of most containers may not.
  package static var requiresFileHandles: Self {
    .enabled(if: mayOpenHandles, "it opens files by handle, which takes CAP_DAC_READ_SEARCH")
  }

  private static var mayOpenHandles: Bool {
    guard let status = FileManager.default.contents(atPath: "/proc/self/status"),
      let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
        .first(where: { $0.hasPrefix("CapEff:") }),
      let effective = UInt64(line.dropFirst(7).trimmingPrefix(while: \.isWhitespace), radix: 16)
    else { return false }
    return effective & 1 << 2 != 0
  }

  private static var isRootAMount: Bool {
    guard let mounts = FileManager.default.contents(atPath: "/proc/self/mountinfo") else {
      return false
    }
    return String(decoding: mounts, as: UTF8.self).split(separator: "\n").contains {
      $0.split(separator: " ").dropFirst(4).first == "/"
    }
  }
}

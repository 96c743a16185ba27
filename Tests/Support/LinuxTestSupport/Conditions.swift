import Foundation
import Glibc
package import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test that changes credentials.
  package static var requiresRoot: Self {
    .enabled(if: geteuid() == 0, "it changes credentials, which takes root")
  }

  /// Skips a test that changes mounts in its own namespace.
  ///
  /// In a chroot(2) to a directory that is not a mount point, the mount of `/` cannot be made
  /// private, so mounts of a test would propagate to other processes.
  package static var requiresPrivateMounts: Self {
    .enabled(
      if: geteuid() == 0 && isRootAMount,
      "it changes mounts, which takes root and a root directory that is a mount")
  }

  /// Skips a test that creates a user namespace, which the kernel does not allow in a chroot(2).
  package static var requiresUserNamespace: Self {
    .enabled(
      if: geteuid() == 0 && isRootAMount,
      "it makes a user namespace, which takes root and a root directory that is a mount")
  }

  /// Skips a test that opens files by handle, which root may not do in most containers.
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

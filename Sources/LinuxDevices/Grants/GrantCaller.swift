package import AccessModel
internal import CLinux
internal import Glibc

/// The process that grants: who it is, what time it is, and where its program lies.
package enum GrantCaller {
  /// The user whose rights the process has.
  package static var user: UInt32 { geteuid() }

  /// The user behind the process: that of the login, which sudo(8) does not change.
  package static var person: UInt32 {
    guard let text = try? BoundedFile.line("/proc/self/loginuid", limit: 32),
      let user = UInt32(text), user != .max
    else { return getuid() }
    return user
  }

  /// What users are called now; those without a name in the database are left out.
  package static func names(ofUsers ids: Set<UInt32>) -> [UInt32: String] {
    var unobserved: [Unobserved] = []
    var source = AccountSources.source(MachineRoots(), &unobserved)
    var names: [UInt32: String] = [:]
    for id in ids { names[id] = (try? source.user(id))?.name }
    return names
  }

  /// The number of the user who has a name now, or a word of digits; `nil` where there is none.
  package static func number(ofUser word: String) -> UInt32? {
    var unobserved: [Unobserved] = []
    var source = AccountSources.source(MachineRoots(), &unobserved)
    return (try? source.user(word: word))?.id
  }

  /// Seconds since 1970.
  package static var now: Int64 { Int64(time(nil)) }

  /// Seconds since the boot, those of sleep included.
  package static var uptime: Int64 { clinux_uptime() }

  /// What tells this boot from others; empty where the kernel does not say.
  package static let boot =
    (try? BoundedFile.line("/proc/sys/kernel/random/boot_id", limit: 64)) ?? ""

  /// The absolute path of this program, for those that start it later.
  package static var program: String? {
    guard let path = SymbolicLink.target(of: "/proc/self/exe"), path.first == "/",
      !path.hasSuffix(" (deleted)"), unsafe access(ByteText(path).cString, X_OK) == 0
    else { return nil }
    return path
  }

  /// A path from the working directory on as an absolute one.
  ///
  /// - Throws: `wrongObject` for what no system call takes.
  package static func absolute(_ path: String) throws(GrantError) -> String {
    do throws(DeviceError) {
      return try AbsolutePath.resolve(path)
    } catch {
      throw GrantError(.wrongObject, at: path, "no system call accepts this path")
    }
  }
}

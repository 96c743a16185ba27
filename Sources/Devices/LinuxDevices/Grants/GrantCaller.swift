package import AccessModel
internal import CLinux
internal import Glibc

/// The process that gives grants, with its user and clocks.
package enum GrantCaller {
  /// The effective user of the process.
  package static var user: UInt32 { geteuid() }

  /// The user who logged in, even after sudo(8); the real user if there was no login.
  package static var person: UInt32 {
    guard let text = try? BoundedFile.line("/proc/self/loginuid", limit: 32),
      let user = UInt32(text), user != .max
    else { return getuid() }
    return user
  }

  /// Returns the current names of users, without the users that the database does not contain.
  package static func names(ofUsers ids: Set<UInt32>) -> [UInt32: String] {
    var unobserved: [Unobserved] = []
    var source = AccountSources.source(MachineRoots(), &unobserved)
    var names: [UInt32: String] = [:]
    for id in ids { names[id] = (try? source.user(id))?.name }
    return names
  }

  /// The home directory of the effective user, according to the account database; `nil` if there is
  /// no absolute path.
  package static var home: String? { AccountSources.home(of: user, MachineRoots()) }

  /// Returns the ID of the user with a name or number; `nil` if there is no such user.
  package static func number(ofUser word: String) -> UInt32? {
    var unobserved: [Unobserved] = []
    var source = AccountSources.source(MachineRoots(), &unobserved)
    return (try? source.user(word: word))?.id
  }

  /// The current time in seconds since 1970.
  package static var now: Int64 { Int64(time(nil)) }

  /// The time in seconds since the system booted, including suspended time.
  package static var uptime: Int64 { clinux_uptime() }

  /// The ID of the current boot; empty if the kernel does not provide it.
  package static let boot =
    (try? BoundedFile.line("/proc/sys/kernel/random/boot_id", limit: 64)) ?? ""

  /// Returns the absolute form of a path that may be relative to the working directory.
  ///
  /// - Throws: `wrongObject` if no system call accepts the path.
  package static func absolute(_ path: String) throws(GrantError) -> String {
    do throws(DeviceError) {
      return try AbsolutePath.resolve(path)
    } catch {
      throw GrantError(.wrongObject, at: path, "no system call accepts this path")
    }
  }
}

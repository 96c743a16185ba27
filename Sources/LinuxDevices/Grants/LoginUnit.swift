package import AccessModel
internal import Glibc

/// The unit file that has systemd end grants on files that are over, when it starts again.
///
/// A transient timer goes with the manager that has it, at the user's last logout and with the system;
/// an entry in the access list of a file stays.
package struct LoginUnit: Hashable, Sendable {
  /// The folder of unit files, an absolute path.
  package let folder: String
  /// The target that every start of the manager reaches.
  package let target: String

  package init(folder: String, target: String) {
    self.folder = folder
    self.target = target
  }

  /// Root's: the system's manager starts it with the system.
  package static let ofSystem = LoginUnit(
    folder: "/etc/systemd/system", target: "multi-user.target")

  /// A user's: the user's manager starts it at the first login.
  package static func of(home: String) -> LoginUnit {
    LoginUnit(folder: "\(home)/.config/systemd/user", target: "default.target")
  }

  private static let name = "devaccess-grants.service"
  private var wants: String { "\(folder)/\(target).wants" }

  /// Has a program end what is over whenever the manager starts.
  ///
  /// - Parameter program: The absolute path of `devaccess`.
  /// - Throws: `failed` where the unit cannot be written.
  package func write(_ program: String) throws(GrantError) {
    guard let text = text(program) else {
      throw GrantError(
        .failed, at: program,
        "systemd cannot start a program with this name, so it could not end the grant")
    }
    do throws(Errno) {
      // Kept in variables: a temporary value would be closed before its number is used.
      let folder = try TrustedFolder.open(folder, makingWith: 0o755)
      try WholeFile.write(
        Array(text.utf8), named: Self.name, by: ".\(Self.name)", in: folder.number,
        mode: 0o644)
      let wants = try TrustedFolder.open(wants, makingWith: 0o755)
      if unsafe symlinkat("../\(Self.name)", wants.number, Self.name) != 0,
        Errno.current != .exists
      {
        throw .current
      }
      try Errno.check(fsync(wants.number))
    } catch {
      throw GrantError(
        at: "\(folder)/\(Self.name)", unableTo: "have systemd end the grant after a logout", error)
    }
  }

  /// Removes the unit; one that is not there is no error.
  package func remove() {
    for path in [wants, folder] {
      guard let place = try? TrustedFolder.open(path) else { continue }
      unsafe unlinkat(place.number, Self.name, 0)
    }
  }

  private func text(_ program: String) -> String? {
    guard let word = Self.word(program) else { return nil }
    return """
      # Written by 'devaccess grant', and removed with the last grant on a file that has an end.
      [Unit]
      Description=End of the devaccess grants that are over
      Documentation=man:devaccess-grant(1)
      StartLimitIntervalSec=1d
      StartLimitBurst=120

      [Service]
      Type=oneshot
      ExecStart=\(word) revoke --overdue
      # While another program holds the record.
      Restart=on-failure
      RestartSec=15

      [Install]
      WantedBy=\(target)

      """
  }

  /// The path of a program as ExecStart= reads it; `nil` for one that it refuses (`string_is_safe`).
  private static func word(_ path: String) -> String? {
    let isSafe = path.utf8.allSatisfy { $0 >= 0x20 && ![0x22, 0x27, 0x5C, 0x7F].contains($0) }
    // Specifiers are replaced, and variables are not.
    return isSafe ? "\"\(path.doubling("%"))\"" : nil
  }
}

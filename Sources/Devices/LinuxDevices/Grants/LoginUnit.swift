package import AccessModel
internal import Glibc

/// The unit file that makes systemd end expired grants on files when it starts.
///
/// A transient timer disappears with its manager, at the user's last logout or at a shutdown, but
/// an entry in the ACL of a file remains.
package struct LoginUnit: Hashable, Sendable {
  /// The absolute path of the folder with unit files.
  package let folder: String
  /// The target that the manager reaches each time it starts.
  package let target: String

  package init(folder: String, target: String) {
    self.folder = folder
    self.target = target
  }

  /// The unit for root, which the system manager starts at boot.
  package static let ofSystem = LoginUnit(
    folder: "/etc/systemd/system", target: "multi-user.target")

  /// Returns the unit for a user, which the user's manager starts at the first login.
  package static func of(home: String) -> LoginUnit {
    LoginUnit(folder: "\(home)/.config/systemd/user", target: "default.target")
  }

  private static let name = "devaccess-grants.service"
  private var wants: String { "\(folder)/\(target).wants" }

  /// Writes a unit that runs a program to end expired grants whenever the manager starts.
  ///
  /// - Parameter program: The absolute path of `devaccess`.
  /// - Throws: `failed` if the unit cannot be written.
  package func write(_ program: String) throws(GrantError) {
    guard let text = text(program) else {
      throw GrantError(
        .failed, at: program,
        "systemd cannot start a program with this name, so it could not end the grant")
    }
    do throws(Errno) {
      // Kept in variables, because a temporary value would be closed before its number is used.
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

  /// Removes the unit, if it exists.
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

  /// Returns a path as a word for ExecStart=; `nil` if systemd rejects it (`string_is_safe`).
  private static func word(_ path: String) -> String? {
    let isSafe = path.utf8.allSatisfy { $0 >= 0x20 && ![0x22, 0x27, 0x5C, 0x7F].contains($0) }
    // systemd replaces specifiers here, but not environment variables.
    return isSafe ? "\"\(path.doubling("%"))\"" : nil
  }
}

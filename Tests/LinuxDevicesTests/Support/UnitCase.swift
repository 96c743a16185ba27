import AccessModel
import Testing

@testable import LinuxDevices

/// Helpers for the tests of unit settings.
enum UnitCase {
  /// Returns the settings of a service with these lines in its section.
  static func settings(_ lines: String) throws -> UnitSettings {
    let file = UnitFile(parsing: Array("[Service]\n\(lines)".utf8))
    return UnitSettingsReader.settings(of: try #require(UnitName("x")), files: [file])
  }

  /// Returns a request of user 1000 on a machine with a devtmpfs.
  static func access(_ nodes: [Node], _ request: Request) -> AccessCase {
    AccessCase(
      protectedSymlinks: true,
      mounts: [Mount(at: "/", fstype: "ext4"), Mount(at: "/dev", fstype: "devtmpfs")],
      nodes: nodes, subject: Subject(uid: 1000, gid: 1000), request: request)
  }

  /// Returns the outcome of a case: `granted`, `undecided`, or the error number and the rule.
  static func outcome(_ access: AccessCase) -> String {
    let decision = access.decide()
    return switch decision.outcome {
    case .granted: "granted"
    case .denied(let errno): "\(errno.rawValue) \(decision.rule?.rawValue ?? "")"
    case .undecided: "undecided"
    }
  }
}

import AccessModel
import Testing

@testable import LinuxDevices

/// What tests of the settings of units have in common.
enum UnitCase {
  /// The settings of a service that has these lines in its section.
  static func settings(_ lines: String) throws -> UnitSettings {
    let file = UnitFile(parsing: Array("[Service]\n\(lines)".utf8))
    return UnitSettingsReader.settings(of: try #require(UnitName("x")), files: [file])
  }

  /// Whether user 1000 may do something on a machine with a devtmpfs.
  static func access(_ nodes: [Node], _ request: Request) -> AccessCase {
    AccessCase(
      protectedSymlinks: true,
      mounts: [Mount(at: "/", fstype: "ext4"), Mount(at: "/dev", fstype: "devtmpfs")],
      nodes: nodes, subject: Subject(uid: 1000, gid: 1000), request: request)
  }

  /// How a case comes out: `granted`, `undecided`, or the error number and the rule.
  static func outcome(_ access: AccessCase) -> String {
    let decision = access.decide()
    return switch decision.outcome {
    case .granted: "granted"
    case .denied(let errno): "\(errno.rawValue) \(decision.rule?.rawValue ?? "")"
    case .undecided: "undecided"
    }
  }
}

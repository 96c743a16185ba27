/// What a setting does to a path in the mount namespace of a unit.
struct UnitPathRule: Hashable, Sendable {
  /// In the order in which systemd prefers them at one path (`MountMode`).
  enum Effect: Int, Hashable, Sendable {
    case hidden, readOnly, readWrite, empty
  }

  var path: UnitPath
  var effect: Effect

  /// The file systems of the kernel's interfaces, which `ProtectSystem=strict` leaves alone.
  static let interfaces = ["/dev", "/proc", "/sys"].map(UnitPath.init)
  private static let homes = ["/home", "/root", "/run/user"]

  /// Every rule, a path before those below it; one for each path, and none below a hidden one.
  static func rules(for settings: UnitSettings) -> [UnitPathRule] {
    var rules: [UnitPathRule] = []
    func add(_ paths: [String], _ effect: Effect) {
      rules += paths.map { UnitPathRule(path: UnitPath($0), effect: effect) }
    }
    switch settings.protectHome {
    case .no: break
    case .yes: add(homes, .hidden)
    case .readOnly: add(homes, .readOnly)
    case .tmpfs: add(homes, .empty)
    }
    switch settings.protectSystem {
    case .no: break
    case .yes: add(["/usr", "/boot", "/efi"], .readOnly)
    case .full: add(["/usr", "/boot", "/efi", "/etc"], .readOnly)
    case .strict:
      add(["/"], .readOnly)
      // The homes are ProtectHome's to decide (`protect_system_strict_table`).
      if settings.protectHome == .no { add(homes, .readWrite) }
    }
    add(settings.readOnlyPaths, .readOnly)
    add(settings.readWritePaths, .readWrite)
    add(settings.inaccessiblePaths, .hidden)
    rules.sort { ($0.path.path, $0.effect.rawValue) < ($1.path.path, $1.effect.rawValue) }

    var kept: [UnitPathRule] = []
    for rule in rules {
      let isTaken = kept.contains { $0.path == rule.path }
      let isHidden = kept.contains { $0.effect == .hidden && $0.path.covers(rule.path.path) }
      if !isTaken && !isHidden { kept.append(rule) }
    }
    return kept
  }
}

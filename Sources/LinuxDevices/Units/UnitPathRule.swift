/// What a setting does to a path in the mount namespace of a unit.
struct UnitPathRule: Hashable, Sendable {
  /// In the order in which systemd prefers them at one path (`MountMode`).
  enum Effect: Int, Hashable, Sendable {
    case hidden, readOnly, readWrite, empty
  }

  var path: UnitPath
  var effect: Effect
  /// The setting that makes the rule.
  var setting: String
  /// Whether systemd passes over a path that is missing.
  var isOptional = true

  /// A path about which nothing can be done, and why.
  struct Unresolved: Hashable, Sendable {
    var rule: UnitPathRule
    var reason: String
    /// Whether it keeps systemd from starting the unit; else nobody knows where the path leads.
    var preventsStart = false
  }

  /// The file systems of the kernel's interfaces, which `ProtectSystem=strict` leaves alone.
  static let interfaces = ["/dev", "/proc", "/sys"].map(UnitPath.init)
  private static let homes = ["/home", "/root", "/run/user"]

  /// A path in a list without its marks: `-` passes over a missing one, `+` comes behind it and
  /// stands for the unit's root directory.
  static func withoutMarks(_ text: String) -> (path: Substring, isOfUnit: Bool) {
    var rest = text[...]
    if rest.first == "-" { rest = rest.dropFirst() }
    guard rest.first == "+" else { return (rest, false) }
    return (rest.dropFirst(), true)
  }

  /// Every rule, a path before those below it; one for each path, and none below a hidden one.
  ///
  /// The paths lead through no link. As systemd does (`apply_mounts`), what a hidden path contains
  /// is left out before links are followed, and again behind them.
  ///
  /// - Parameters:
  ///   - settings: The settings of the unit.
  ///   - places: Where paths lead.
  ///   - unresolved: Takes the rules about whose place nobody knows, and those that systemd fails
  ///     at.
  /// - Returns: The rules whose places are known.
  static func rules(
    for settings: UnitSettings, at places: UnitPlaces, unresolved: inout [Unresolved]
  ) -> [UnitPathRule] {
    var followed: [(written: UnitPathRule, rule: UnitPathRule, links: [String])] = []
    var missing: Set<UnitPath> = []
    for written in reduced(written(in: settings, places)) {
      switch places.place(of: written.path.path) {
      case .unknown(let reason): unresolved.append(Unresolved(rule: written, reason: reason))
      case .impossible(let reason):
        unresolved.append(Unresolved(rule: written, reason: reason, preventsStart: true))
      case .found(let path, let links, let exists):
        var rule = written
        rule.path = path
        if !exists { missing.insert(path) }
        followed.append((written, rule, links))
      }
    }
    // Whether a link is still there when systemd follows it depends on what it mounted before.
    let covers =
      followed.map(\.rule).filter { $0.effect == .hidden || $0.effect == .empty }.map(\.path)
      + settings.replacedPaths.map { UnitPath($0.path) }
    followed.removeAll { written, rule, links in
      let link = links.first { link in
        covers.contains { $0 != rule.path && $0.covers(link) && $0.path != link }
      }
      guard let link else { return false }
      unresolved.append(
        Unresolved(rule: written, reason: "the unit may not see the link \(link)"))
      return true
    }
    let rules = reduced(followed.map(\.rule))
    for rule in rules where !rule.isOptional && missing.contains(rule.path) {
      guard !settings.creates(rule.path, at: places), !rule.isNeedless(beside: rules, settings),
        rule.effect == .hidden || !settings.replaces(rule.path, at: places)
      else { continue }
      unresolved.append(
        Unresolved(rule: rule, reason: "\(rule.path.path) does not exist", preventsStart: true))
    }
    return rules
  }

  /// Whether the nearest one above does the same already, so that systemd leaves it out (`drop_nop`).
  private func isNeedless(beside rules: [UnitPathRule], _ settings: UnitSettings) -> Bool {
    guard effect == .readOnly || effect == .readWrite,
      let above = rules.last(where: { $0.path != path && $0.path.covers(path.path) }),
      !settings.replacedPaths.contains(where: { UnitPath($0.path).covers(path.path) }),
      !settings.createdDirectories.contains(where: { UnitPath($0).covers(path.path) })
    else { return false }
    // What other settings spare is of another kind.
    return above.effect == effect && (effect == .readOnly || above.setting == setting)
  }

  /// The rules with their paths as the settings have them.
  private static func written(in settings: UnitSettings, _ places: UnitPlaces) -> [UnitPathRule] {
    var rules: [UnitPathRule] = []
    func add(_ paths: [String], _ effect: Effect, _ setting: String) {
      rules += paths.map { UnitPathRule(path: UnitPath($0), effect: effect, setting: setting) }
    }
    let home = "ProtectHome="
    switch settings.protectHome {
    case .no: break
    case .yes: add(homes, .hidden, home)
    case .readOnly: add(homes, .readOnly, home)
    case .tmpfs: add(homes, .empty, home)
    }
    let system = "ProtectSystem="
    switch settings.protectSystem {
    case .no: break
    case .yes: add(["/usr", "/boot", "/efi"], .readOnly, system)
    case .full: add(["/usr", "/boot", "/efi", "/etc"], .readOnly, system)
    case .strict:
      add(["/"], .readOnly, system)
      // The homes are ProtectHome's to decide (`protect_system_strict_table`).
      if settings.protectHome == .no { add(homes, .readWrite, system) }
    }
    for (paths, effect, setting) in [
      (settings.readOnlyPaths, Effect.readOnly, "ReadOnlyPaths="),
      (settings.readWritePaths, .readWrite, "ReadWritePaths="),
      (settings.inaccessiblePaths, .hidden, "InaccessiblePaths="),
    ] {
      for text in paths {
        guard let path = places.path(ofListed: text) else { continue }
        rules.append(
          UnitPathRule(
            path: path, effect: effect, setting: setting, isOptional: text.hasPrefix("-")))
      }
    }
    // What systemd creates for the unit is spared as `ReadWritePaths=` are, unless it is read-only.
    rules += settings.createdDirectories.map { text in
      let path = UnitPath(text)
      return UnitPathRule(
        path: path,
        effect: settings.readOnlyDirectories.contains(path.path) ? .readOnly : .readWrite,
        setting: UnitSettings.setting(creating: path))
    }
    for protection in UnitProtection.allCases where settings.protections.contains(protection) {
      rules += protection.rules.map { path, effect in
        UnitPathRule(path: UnitPath(path), effect: effect, setting: protection.setting)
      }
    }
    return rules
  }

  private static func reduced(_ rules: [UnitPathRule]) -> [UnitPathRule] {
    var kept: [UnitPathRule] = []
    var hidden: [UnitPath] = []
    let sorted = rules.sorted {
      ($0.path.path, $0.effect.rawValue) < ($1.path.path, $1.effect.rawValue)
    }
    for rule in sorted {
      if kept.last?.path == rule.path || hidden.contains(where: { $0.covers(rule.path.path) }) {
        continue
      }
      kept.append(rule)
      if rule.effect == .hidden { hidden.append(rule.path) }
    }
    return kept
  }
}

extension UnitSettings {
  /// Whether systemd creates a path before it looks for it.
  fileprivate func creates(_ path: UnitPath, at places: UnitPlaces) -> Bool {
    createdDirectories.contains { directory in
      path.covers(directory) || Self.leads(directory, at: places) { path.covers($0) }
    }
  }

  /// Whether another setting mounts at a path, and so stands for what is to be done there.
  fileprivate func replaces(_ path: UnitPath, at places: UnitPlaces) -> Bool {
    replacedPaths.contains { replaced in
      replaced.source != nil && Self.leads(replaced.path, at: places) { $0 == path.path }
    }
  }

  private static func leads(
    _ path: String, at places: UnitPlaces, _ matches: (String) -> Bool
  ) -> Bool {
    if case .found(let place, _, _) = places.place(of: path) { matches(place.path) } else { false }
  }
}

internal import AccessModel

/// The effect of a setting on a path in a unit's mount namespace.
struct UnitPathRule: Hashable, Sendable {
  /// An effect; for the same path, systemd applies the one with the lowest value (`MountMode`).
  enum Effect: Int, Hashable, Sendable {
    case hidden, readOnly, readWrite, empty
  }

  var path: UnitPath
  var effect: Effect
  /// The setting that defines the rule.
  var setting: String
  /// A Boolean value that indicates whether systemd ignores the rule if the path is missing.
  var isOptional = true

  /// A rule that cannot be applied, and the reason.
  struct Unresolved: Hashable, Sendable {
    var rule: UnitPathRule
    var reason: String
    /// A Boolean value that indicates whether the rule prevents the unit's start.
    ///
    /// Otherwise, the location of the path is unknown.
    var preventsStart = false
  }

  /// The mount points of kernel interfaces, which `ProtectSystem=strict` does not change.
  static let interfaces = ["/dev", "/proc", "/sys"].map(UnitPath.init)
  private static let homes = ["/home", "/root", "/run/user"]

  /// Returns a path in a list without its prefix characters.
  ///
  /// The prefix `-` means that a missing path is ignored. The prefix `+` follows it, and means that
  /// the path is relative to the unit's root directory.
  static func withoutMarks(_ text: String) -> (path: Substring, isOfUnit: Bool) {
    var rest = text[...]
    if rest.first == "-" { rest = rest.dropFirst() }
    guard rest.first == "+" else { return (rest, false) }
    return (rest.dropFirst(), true)
  }

  /// Returns the rules for all paths in the settings, ordered by path.
  ///
  /// Each path has at most one rule, and paths below a hidden path have none. Symbolic links are
  /// resolved. As in systemd's `apply_mounts`, paths below a hidden path are removed before and
  /// after links are resolved.
  ///
  /// - Parameters:
  ///   - settings: The settings of the unit.
  ///   - places: Resolves the paths in the settings.
  ///   - unresolved: Receives the rules whose paths cannot be resolved, and those that make systemd
  ///     fail.
  /// - Returns: The rules whose paths could be resolved.
  static func rules(
    for settings: UnitSettings, at places: UnitPathResolver, unresolved: inout [Unresolved]
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
    // When systemd follows a link, one of its previous mounts may have hidden the link.
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

  /// Returns whether systemd drops the rule because the nearest rule above has the same effect
  /// (`drop_nop`).
  private func isNeedless(beside rules: [UnitPathRule], _ settings: UnitSettings) -> Bool {
    guard effect == .readOnly || effect == .readWrite,
      let above = rules.last(where: { $0.path != path && $0.path.covers(path.path) }),
      !settings.replacedPaths.contains(where: { UnitPath($0.path).covers(path.path) }),
      !settings.createdDirectories.contains(where: { UnitPath($0).covers(path.path) })
    else { return false }
    // systemd keeps a `readWrite` rule below one that a different setting defines.
    return above.effect == effect && (effect == .readOnly || above.setting == setting)
  }

  /// Returns the rules with their paths as written in the settings.
  private static func written(in settings: UnitSettings, _ places: UnitPathResolver)
    -> [UnitPathRule]
  {
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
      // ProtectHome= determines the access to home directories (`protect_system_strict_table`).
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
    // Directories that systemd creates are writable like `ReadWritePaths=`, unless they are
    // read-only.
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
  /// Returns whether systemd creates a path before it resolves the rules.
  fileprivate func creates(_ path: UnitPath, at places: UnitPathResolver) -> Bool {
    createdDirectories.contains { directory in
      path.covers(directory) || Self.leads(directory, at: places) { path.covers($0) }
    }
  }

  /// Returns whether another setting mounts something at a path, which then need not exist.
  fileprivate func replaces(_ path: UnitPath, at places: UnitPathResolver) -> Bool {
    replacedPaths.contains { replaced in
      replaced.source != nil && Self.leads(replaced.path, at: places) { $0 == path.path }
    }
  }

  private static func leads(
    _ path: String, at places: UnitPathResolver, _ matches: (String) -> Bool
  ) -> Bool {
    if case .found(let place, _, _) = places.place(of: path) { matches(place.path) } else { false }
  }
}

/// A path in a setting, without its prefix characters.
///
/// The prefix `-` means that a missing path is ignored, and `+` that the path is relative to the
/// service's root directory (systemd.exec(5), `ReadWritePaths=`).
struct UnitPath: Hashable, Sendable {
  /// The absolute path, without prefix characters, repeated slashes or a trailing slash.
  var path: String

  init(_ text: String) {
    let bare = text.unicodeScalars.drop { $0 == "-" || $0 == "+" }
    path = "/" + Substring(bare).parts(at: "/").filter { $0 != "." }.joined(separator: "/")
  }

  static func == (one: Self, other: Self) -> Bool { one.path.isSame(as: other.path) }

  /// Returns whether another path is this one or below it.
  func covers(_ other: String) -> Bool {
    path == "/" || other.isAtOrBelow(path)
  }
}

/// A setting that protects kernel interfaces from a unit (systemd.exec(5)).
///
/// The paths are those in systemd's src/core/namespace.c.
enum UnitProtection: String, CaseIterable, Sendable {
  case tunables = "ProtectKernelTunables"
  case modules = "ProtectKernelModules"
  case logs = "ProtectKernelLogs"
  case controlGroups = "ProtectControlGroups"
  case hostName = "ProtectHostname"

  /// The setting as it appears in messages.
  var setting: String { "\(rawValue)=" }

  /// The effects of the setting on paths, which may be missing.
  var rules: [(path: String, effect: UnitPathRule.Effect)] {
    switch self {
    case .tunables:
      [
        "/proc/acpi", "/proc/apm", "/proc/asound", "/proc/bus", "/proc/fs", "/proc/irq",
        "/proc/latency_stats", "/proc/mtrr", "/proc/scsi", "/proc/sys", "/proc/sysrq-trigger",
        "/proc/timer_stats", "/sys", "/sys/fs/bpf", "/sys/kernel/debug", "/sys/kernel/tracing",
      ].map { ($0, .readOnly) } + ["/proc/kallsyms", "/proc/kcore"].map { ($0, .hidden) }
        + ["/sys/fs/cgroup", "/sys/fs/selinux"].map { ($0, .readWrite) }
    case .modules: [("/lib/modules", .hidden), ("/usr/lib/modules", .hidden)]
    case .logs: [("/proc/kmsg", .hidden), ("/dev/kmsg", .hidden)]
    case .controlGroups: [("/sys/fs/cgroup", .readOnly)]
    case .hostName:
      ["/proc/sys/kernel/hostname", "/proc/sys/kernel/domainname"].map { ($0, .readOnly) }
    }
  }

  /// The capabilities that the setting removes from the bounding set.
  var lostCapabilities: CapabilitySet {
    switch self {
    case .modules: CapabilitySet(["sys_module"].compactMap(Capability.init(name:)))
    case .logs: CapabilitySet(["syslog"].compactMap(Capability.init(name:)))
    case .tunables, .controlGroups, .hostName: []
    }
  }
}

/// A setting that mounts something private at known paths (systemd.exec(5)).
///
/// The contents of the paths are unknown before the unit starts.
enum UnitPrivateMount: String, CaseIterable, Sendable {
  case ipc = "PrivateIPC"
  case ipcNamespace = "IPCNamespacePath"
  case processes = "PrivatePIDs"
  case bpf = "PrivateBPF"
  case processVisibility = "ProtectProc"
  case processFiles = "ProcSubset"
  case extensionImages = "ExtensionImages"
  case extensionDirectories = "ExtensionDirectories"
  case log = "LogNamespace"

  /// The paths at which this or another version of systemd mounts something.
  var paths: [String] {
    switch self {
    case .ipc, .ipcNamespace: ["/dev/mqueue"]
    case .processes, .processVisibility, .processFiles: ["/proc"]
    case .bpf: ["/sys/fs/bpf"]
    // Extensions are overlaid on these directories; on /etc since systemd 254.
    case .extensionImages, .extensionDirectories: ["/usr", "/opt", "/etc"]
    case .log: ["/run/systemd/journal"]
    }
  }

  /// Returns whether a value enables the setting, or `nil` if some versions of systemd ignore the
  /// value.
  func isSet(by value: String) -> Bool? {
    switch self {
    case .ipcNamespace, .extensionImages, .extensionDirectories, .log: !value.isEmpty
    case .ipc, .processes, .bpf: value.isEmpty ? nil : UnitSettingsReader.boolean(value) ?? true
    case .processVisibility: value.isEmpty ? nil : value != "default"
    case .processFiles: value.isEmpty ? nil : value != "all"
    }
  }
}

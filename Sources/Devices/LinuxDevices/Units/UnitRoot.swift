internal import AccessModel

/// The starting directory of a unit's path resolution (systemd.exec(5), `RootDirectory=`).
enum UnitRoot: Hashable {
  /// The machine's root directory.
  case machine
  /// A directory that contains the target as the unit sees it.
  case directory(String)
  /// A directory where systemd bind-mounts the machine's `/dev`.
  case devices(String)
  /// A root that cannot be inspected, with the setting that defines it.
  case unknown(String)

  /// The paths at which systemd mounts something in another root directory; `/run` is empty there.
  static let interfaces = ["/dev", "/proc", "/sys", "/run"].map { UnitPath($0) }

  /// The root directory, if it is a plain directory; otherwise, `nil`.
  var directory: String? {
    if case .directory(let directory) = self { directory } else { nil }
  }

  /// Determines where the resolution of a target path starts for a unit.
  init(_ settings: UnitSettings, target: String) {
    guard let setting = settings.rootSetting else {
      self = .machine
      return
    }
    guard let directory = settings.rootDirectory, setting == "RootDirectory=" else {
      self = .unknown(setting)
      return
    }
    guard settings.hasInterfacesBelowRoot else {
      self = .directory(directory)
      return
    }
    if UnitPath("/dev").covers(target) {
      self = .devices(directory)
    } else if Self.interfaces.contains(where: { $0.covers(target) }) {
      self = .unknown(setting)
    } else {
      self = .directory(directory)
    }
  }
}

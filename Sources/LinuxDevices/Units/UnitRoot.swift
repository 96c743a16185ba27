internal import AccessModel

/// Where the walk of a path begins for a unit (systemd.exec(5), `RootDirectory=`).
enum UnitRoot: Hashable {
  /// At the machine's own root.
  case machine
  /// In a directory, all below which is as it is there.
  case directory(String)
  /// In a directory over whose `/dev` systemd binds the machine's own.
  case devices(String)
  /// In something that cannot be looked at.
  case unknown(String)

  /// What systemd mounts into another root directory; `/run` is empty there.
  static let interfaces = ["/dev", "/proc", "/sys", "/run"].map { UnitPath($0) }

  /// The directory where the walk begins, where it is not the machine's own root.
  var directory: String? {
    if case .directory(let directory) = self { directory } else { nil }
  }

  /// Where the walk of a path begins for a unit with these settings.
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

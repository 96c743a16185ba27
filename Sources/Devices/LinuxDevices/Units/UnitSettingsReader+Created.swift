internal import AccessModel

/// The search path for programs, and the directories that systemd creates before it starts them.
extension UnitSettingsReader {
  mutating func takeSearchPath(_ value: String) {
    guard !value.isEmpty else {
      settings.searchPath = []
      return
    }
    let room = max(UnitWords.limit - settings.searchPath.count, 0)
    settings.searchPath += value.parts(at: ":").prefix(room).map(String.init)
  }

  /// Parses `StateDirectoryMode=` and similar settings, which are octal.
  mutating func takeMode(_ value: String, _ key: String) {
    guard let mode = UInt16(value, radix: 8), mode <= 0o7777 else {
      return doubts.complain(key, value)
    }
    doubts.settle(key)
    settings.directoryModes[String(key.dropLast(4))] =
      mode == UnitSettings.defaultDirectoryMode ? nil : mode
  }

  /// Parses `RuntimeDirectory=` and similar settings.
  ///
  /// An entry is `NAME`, or `NAME:LINK` to also create a link to the directory. With `NAME:LINK:ro`
  /// or `NAME::ro`, the directory is read-only for the service (systemd 257).
  mutating func takeCreated(_ value: String, _ parent: String, _ key: String) {
    guard !value.isEmpty else {
      let isElsewhere = { (path: String) in !UnitPath(parent).covers(path) }
      settings.createdDirectories = settings.createdDirectories.filter(isElsewhere)
      settings.readOnlyDirectories = settings.readOnlyDirectories.filter(isElsewhere)
      settings.directoryLinks = settings.directoryLinks.filter(isElsewhere)
      doubts.settle(key)
      return
    }
    let room = UnitWords.limit - settings.createdDirectories.count
    for fields in UnitWords.fields(value).prefix(max(room, 0)) {
      let path = UnitPath("\(parent)/\(fields[0])").path
      settings.createdDirectories.insert(path)
      if fields.count > 1, !fields[1].isEmpty {
        settings.directoryLinks.insert(UnitPath("\(parent)/\(fields[1])").path)
      }
      guard fields.count > 2 else { continue }
      if fields[2] == "ro" {
        settings.readOnlyDirectories.insert(path)
      } else if !fields[2].isEmpty {
        doubts.complain(key, fields.joined(separator: ":"))
      }
    }
  }
}

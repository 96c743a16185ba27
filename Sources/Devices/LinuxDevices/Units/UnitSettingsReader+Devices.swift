internal import AccessModel

/// The settings for a unit's device policy.
extension UnitSettingsReader {
  mutating func takeDevice(_ value: String) {
    guard !value.isEmpty else {
      doubts.settle("DeviceAllow")
      settings.deviceAllow = []
      return
    }
    let words = UnitWords.split(value)
    guard let specifier = words.first else { return }
    guard settings.deviceAllow.count < UnitWords.limit else {
      return doubts.add("DeviceAllow", "DeviceAllow= is too long")
    }
    let access = words.count > 1 ? words[1] : "rwm"
    guard access.utf8.allSatisfy("rwm".utf8.contains) else {
      return doubts.complain("DeviceAllow", value)
    }
    settings.deviceAllow.append(
      UnitSettings.DeviceAllowance(specifier: specifier, access: access))
  }

  /// Parses `BPFProgram=TYPE:PATH`, which restricts devices if the type is `device`.
  mutating func takeProgram(_ value: String, _ key: String) {
    if value.isEmpty || value.hasPrefix("device:") {
      doubts.note(.deviceProgram, key, isSet: !value.isEmpty)
    }
  }
}

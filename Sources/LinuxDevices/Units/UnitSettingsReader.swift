internal import AccessModel

/// Turns the assignments of a unit's files, in the order that systemd reads them, into settings.
struct UnitSettingsReader {
  private let specifiers: UnitSpecifiers
  private(set) var settings = UnitSettings()
  private var bounding: CapabilitySet?
  private var ambient: CapabilitySet?
  private var protectsClock = false
  private var hasPrivateTmp = false
  private var rootImage: String?

  init(_ name: UnitName) {
    specifiers = UnitSpecifiers(name: name)
  }

  /// The settings that a list of parsed files comes to: the unit file, then its drop-ins.
  static func settings(of name: UnitName, files: [UnitFile]) -> UnitSettings {
    var reader = UnitSettingsReader(name)
    for file in files {
      for assignment in file.assignments where assignment.section == name.section {
        reader.take(assignment)
      }
    }
    return reader.finished()
  }

  private func finished() -> UnitSettings {
    var settings = settings
    settings.boundingSet = bounding ?? .all
    settings.ambientSet = ambient ?? []
    if hasPrivateTmp { settings.addPrivateTemporaryFolders() }
    settings.applyImplications(protectsClock: protectsClock)
    settings.findPolicySetting()
    return settings
  }

  private mutating func take(_ assignment: UnitFile.Assignment) {
    let key = assignment.key
    let value = expanded(assignment)
    switch key {
    case "User": settings.user = value.isEmpty ? nil : value
    case "Group": settings.group = value.isEmpty ? nil : value
    case "SupplementaryGroups": append(value, to: \.supplementaryGroups)
    case "DynamicUser": set(\.isDynamicUser, value, key)
    case "PrivateDevices": set(\.privateDevices, value, key)
    case "PrivateUsers": takeUserNamespace(value, key)
    case "ExecStart": takeStart(value)
    case "Slice": settings.slice = value.isEmpty ? nil : value
    case "AppArmorProfile": settings.appArmorProfile = Self.withoutMark(value)
    case "SELinuxContext": settings.selinuxContext = Self.withoutMark(value)
    case "MountAPIVFS": settings.mountsInterfaces = boolean(value, key)
    case "NoNewPrivileges": set(\.noNewPrivileges, value, key)
    case "ProtectClock": protectsClock = boolean(value, key) ?? protectsClock
    case "PrivateTmp": hasPrivateTmp = boolean(value, key) ?? hasPrivateTmp
    case "DevicePolicy": setWord(\.devicePolicy, value, key)
    case "ProtectHome": setProtection(\.protectHome, value, key)
    case "ProtectSystem": setProtection(\.protectSystem, value, key)
    case "DeviceAllow": takeDevice(value)
    case "ReadWritePaths", "ReadWriteDirectories": append(value, to: \.readWritePaths)
    case "ReadOnlyPaths", "ReadOnlyDirectories": append(value, to: \.readOnlyPaths)
    case "InaccessiblePaths", "InaccessibleDirectories": append(value, to: \.inaccessiblePaths)
    case "CapabilityBoundingSet": bounding = capabilities(value, into: bounding, key)
    case "AmbientCapabilities": ambient = capabilities(value, into: ambient, key)
    case "SecureBits": takeSecureBits(value)
    case "RootDirectory", "RootImage": takeRoot(value, key)
    case "BindPaths", "BindReadOnlyPaths", "TemporaryFileSystem", "MountImages":
      takeReplacement(value, key)
    default: break
    }
  }

  private mutating func expanded(_ assignment: UnitFile.Assignment) -> String {
    let (text, unknown) = specifiers.expand(assignment.value)
    if !unknown.isEmpty, Self.keysWithPlaces.contains(assignment.key) {
      settings.problems.append("\(assignment.key)= holds the specifier %\(unknown[0])")
    }
    return text
  }

  private static let keysWithPlaces: Set<String> = [
    "User", "Group", "SupplementaryGroups", "DeviceAllow", "ReadWritePaths", "ReadOnlyPaths",
    "InaccessiblePaths", "RootDirectory", "RootImage", "BindPaths", "BindReadOnlyPaths",
  ]

  // MARK: Values

  /// The words of systemd's `parse_boolean`.
  static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "yes", "y", "true", "t", "on": true
    case "0", "no", "n", "false", "f", "off": false
    default: nil
    }
  }

  private mutating func boolean(_ value: String, _ key: String) -> Bool? {
    let result = Self.boolean(value)
    if result == nil { complain(key, value) }
    return result
  }

  private mutating func set(
    _ path: WritableKeyPath<UnitSettings, Bool>, _ value: String, _ key: String
  ) {
    if let value = boolean(value, key) { settings[keyPath: path] = value }
  }

  private mutating func setWord<Word: RawRepresentable<String>>(
    _ path: WritableKeyPath<UnitSettings, Word>, _ value: String, _ key: String
  ) {
    guard let word = Word(rawValue: value) else { return complain(key, value) }
    settings[keyPath: path] = word
  }

  /// A word, or one of the spellings of a boolean.
  private mutating func setProtection<Word: RawRepresentable<String>>(
    _ path: WritableKeyPath<UnitSettings, Word>, _ value: String, _ key: String
  ) {
    setWord(path, Self.boolean(value).map { $0 ? "yes" : "no" } ?? value, key)
  }

  /// An empty value empties a list.
  private mutating func append(
    _ value: String, to path: WritableKeyPath<UnitSettings, [String]>
  ) {
    guard !value.isEmpty else {
      settings[keyPath: path] = []
      return
    }
    let words = UnitWords.split(value)
    let room = UnitWords.limit - settings[keyPath: path].count
    settings[keyPath: path] += words.prefix(max(room, 0))
  }

  private mutating func takeDevice(_ value: String) {
    guard !value.isEmpty else {
      settings.deviceAllow = []
      return
    }
    let words = UnitWords.split(value)
    guard let specifier = words.first, settings.deviceAllow.count < UnitWords.limit else { return }
    let access = words.count > 1 ? words[1] : "rwm"
    guard access.utf8.allSatisfy("rwm".utf8.contains) else {
      return complain("DeviceAllow", value)
    }
    settings.deviceAllow.append(
      UnitSettings.DeviceAllowance(specifier: specifier, access: access))
  }

  /// Sets are united; a leading `~` takes away, and an empty value empties the set.
  ///
  /// A set that is as at the beginning is replaced (`config_parse_capability_set`).
  private mutating func capabilities(
    _ value: String, into set: CapabilitySet?, _ key: String
  ) -> CapabilitySet? {
    var text = value[...]
    let isInverted = text.first == "~"
    if isInverted { text = text.dropFirst() }
    var named = CapabilitySet()
    for word in UnitWords.split(String(text)) {
      if let capability = Capability(name: word) {
        _ = named.insert(capability)
      } else {
        complain(key, word)
      }
    }
    let initial: CapabilitySet = key == "CapabilityBoundingSet" ? .all : []
    let current = set ?? initial
    if named.isEmpty || current == initial {
      return isInverted ? CapabilitySet.all.subtracting(named) : named
    }
    return isInverted ? current.subtracting(named) : current.union(named)
  }

  private mutating func takeSecureBits(_ value: String) {
    let bits: [String: UInt32] = [
      "noroot": 1, "noroot-locked": 2, "no-setuid-fixup": 4, "no-setuid-fixup-locked": 8,
      "keep-caps": 16, "keep-caps-locked": 32,
    ]
    guard !value.isEmpty else {
      settings.secureBits = 0
      return
    }
    for word in UnitWords.split(value) {
      guard let bit = bits[word] else { return complain("SecureBits", word) }
      settings.secureBits |= bit
    }
  }

  private mutating func takeRoot(_ value: String, _ key: String) {
    let isUnset = value.isEmpty || value == "/"
    if key == "RootDirectory" {
      // `-` passes over a folder that is missing.
      settings.rootDirectory = isUnset ? nil : UnitPath(value).path
    } else {
      rootImage = isUnset ? nil : value
    }
    settings.rootSetting =
      rootImage != nil ? "RootImage=" : settings.rootDirectory != nil ? "RootDirectory=" : nil
  }

  /// `ExecStart=` may begin with several of `@-:+!`, of which `+` and `!` concern credentials.
  private mutating func takeStart(_ value: String) {
    guard !value.isEmpty else { return settings.forgetStart() }
    let marks = value.prefix { "@-:+!|".contains($0) }
    if marks.contains("+") {
      settings.take(start: .privileged)
    } else {
      // Where the kernel has ambient capabilities, `!!` is as if it were not there.
      settings.take(start: marks.count { $0 == "!" } == 1 ? .asRoot : .restricted)
    }
  }

  private mutating func takeUserNamespace(_ value: String, _ key: String) {
    let word = Self.boolean(value).map { $0 ? "self" : "no" } ?? value
    guard let namespace = UnitSettings.UserNamespace(rawValue: word) else {
      return complain(key, value)
    }
    settings.userNamespace = namespace
  }

  /// A leading `-` passes over a failure.
  private static func withoutMark(_ value: String) -> String? {
    let text = value.hasPrefix("-") ? String(value.dropFirst()) : value
    return text.isEmpty ? nil : text
  }

  /// `SOURCE:DESTINATION:OPTIONS`, or a path and options of a tmpfs.
  private mutating func takeReplacement(_ value: String, _ key: String) {
    guard !value.isEmpty else {
      settings.replacedPaths.removeAll { $0.setting == "\(key)=" }
      return
    }
    for word in UnitWords.split(value) {
      let fields = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      let takesSource = key != "TemporaryFileSystem"
      let path = takesSource && fields.count > 1 ? fields[1] : fields[0]
      guard settings.replacedPaths.count < UnitWords.limit else { return }
      settings.replacedPaths.append(
        UnitSettings.ReplacedPath(setting: "\(key)=", path: UnitPath(path).path))
    }
  }

  private mutating func complain(_ key: String, _ value: String) {
    guard settings.problems.count < 64 else { return }
    let text = String(repairing: Array(value.utf8), limit: 80)
    settings.problems.append("\(key)= has the value '\(text)', which is not known")
  }
}

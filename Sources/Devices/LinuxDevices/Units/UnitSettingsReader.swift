internal import AccessModel

/// Converts the assignments of a unit's files into settings, in the order that systemd applies
/// them.
struct UnitSettingsReader {
  private let specifiers: UnitSpecifiers
  var settings = UnitSettings()
  private var bounding: CapabilitySet?
  private var ambient: CapabilitySet?
  private var protectsClock = false
  private var hasPrivateTmp = false
  private var rootImage: String?
  private var callFilter = UnitCallFilter()
  private var joinsOthers = false
  var doubts = UnparsedUnitSettings()

  init(_ name: UnitName) {
    specifiers = UnitSpecifiers(name: name)
  }

  /// Returns the settings in a list of parsed files: the unit file, followed by its drop-ins.
  static func settings(of name: UnitName, files: [UnitFile]) -> UnitSettings {
    var reader = UnitSettingsReader(name)
    for file in files {
      for assignment in file.assignments {
        if assignment.section == name.section {
          reader.take(assignment)
        } else if assignment.section == "Unit", assignment.key == "JoinsNamespaceOf" {
          reader.joinsOthers = !assignment.value.isEmpty
        }
      }
    }
    return reader.finished()
  }

  private func finished() -> UnitSettings {
    var settings = settings
    settings.doubts = doubts.all
    settings.problems = doubts.problems
    if !callFilter.mayOpen { settings.doubts.append(.callFilter) }
    if joinsOthers, settings.userNamespace != .none { settings.doubts.append(.sharedUsers) }
    settings.boundingSet = bounding ?? .all
    settings.ambientSet = ambient ?? []
    if hasPrivateTmp { settings.addPrivateTemporaryFolders() }
    settings.applyImplications(protectsClock: protectsClock)
    settings.findPolicySetting()
    return settings
  }

  private mutating func take(_ assignment: UnitFile.Assignment) {
    let key = assignment.key
    if Self.keysOfAnyValue.contains(key) { doubts.settle(key) }
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
    case "ProtectClock": takeClock(value, key)
    case "PAMName": settings.pamName = value.isEmpty ? nil : value
    case "StandardInput": settings.readsTerminal = UnitSettings.terminalInputs.contains(value)
    case "TTYPath": settings.terminalPath = value.isEmpty ? nil : value
    case "ExecSearchPath": takeSearchPath(value)
    case "PrivateTmp": takePrivateTmp(value, key)
    case "DevicePolicy": setWord(\.devicePolicy, value, key)
    case "ProtectHome": setProtection(\.protectHome, value, key)
    case "ProtectSystem": setProtection(\.protectSystem, value, key)
    case "DeviceAllow": takeDevice(value)
    case "ReadWritePaths", "ReadWriteDirectories": appendPaths(value, to: \.readWritePaths, key)
    case "ReadOnlyPaths", "ReadOnlyDirectories": appendPaths(value, to: \.readOnlyPaths, key)
    case "InaccessiblePaths", "InaccessibleDirectories":
      appendPaths(value, to: \.inaccessiblePaths, key)
    case "CapabilityBoundingSet": bounding = capabilities(value, into: bounding, key)
    case "AmbientCapabilities": ambient = capabilities(value, into: ambient, key)
    case "SecureBits": takeSecureBits(value)
    case "RootDirectory", "RootImage": takeRoot(value, key)
    case "BindPaths", "BindReadOnlyPaths", "TemporaryFileSystem", "MountImages":
      takeReplacement(value, key)
    case "SystemCallFilter":
      callFilter.take(value)
      note(key, value, in: \.callRestrictions)
    case "RestrictFileSystems": doubts.note(.fileSystems, key, isSet: !value.isEmpty)
    case "NoExecPaths":
      doubts.note(.programs, key, isSet: !value.isEmpty)
      note(key, value, in: \.namespaceSettings)
    case "BPFProgram": takeProgram(value, key)
    default: takeNamed(key, value)
    }
  }

  /// Applies a setting that belongs to a group of similar settings.
  private mutating func takeNamed(_ key: String, _ value: String) {
    if let protection = UnitProtection(rawValue: key) {
      // Some versions treat an empty value as "no", others ignore it.
      if !value.isEmpty { settings.take(protection, value) }
    } else if let place = UnitPrivateMount(rawValue: key) {
      if let isSet = place.isSet(by: value) { settings.take(place, isSet: isSet) }
    } else if let parent = UnitSettings.parentsOfCreated[key] {
      takeCreated(value, parent, key)
    } else if key.hasSuffix("Mode"), UnitSettings.parentsOfCreated[String(key.dropLast(4))] != nil {
      takeMode(value, key)
    } else if UnitSettings.callRestrictionKeys.contains(key) {
      note(key, value, in: \.callRestrictions)
    } else if UnitSettings.credentialKeys.contains(key) {
      note(key, value, in: \.credentialSettings)
    } else if UnitSettings.namespaceKeys.contains(key) {
      note(key, value, in: \.namespaceSettings)
    }
  }

  /// Records whether a setting is enabled; any value except an empty or false one enables it.
  private mutating func note(
    _ key: String, _ value: String, in path: WritableKeyPath<UnitSettings, Set<String>>
  ) {
    // `MountFlags=shared` is the default.
    if value.isEmpty || value == "shared" || Self.boolean(value) == false {
      settings[keyPath: path].remove(key)
    } else {
      settings[keyPath: path].insert(key)
    }
  }

  private mutating func takeClock(_ value: String, _ key: String) {
    guard let isSet = boolean(value, key) else { return }
    protectsClock = isSet
    note(key, value, in: \.callRestrictions)
  }

  private mutating func expanded(_ assignment: UnitFile.Assignment) -> String {
    let key = assignment.key
    let (text, unknown) = specifiers.expand(assignment.value)
    if !unknown.isEmpty, Self.keysOfAnyValue.contains(key) || Self.keysWithPlaces.contains(key) {
      doubts.add(key, "\(key)= holds the specifier %\(unknown[0])")
    }
    return text
  }

  /// The single-value settings that accept any value.
  private static let keysOfAnyValue: Set<String> = [
    "User", "Group", "Slice", "RootDirectory", "RootImage",
  ]
  private static let keysWithPlaces: Set<String> = [
    "SupplementaryGroups", "DeviceAllow", "ReadWritePaths", "ReadWriteDirectories",
    "ReadOnlyPaths", "ReadOnlyDirectories", "InaccessiblePaths", "InaccessibleDirectories",
    "BindPaths", "BindReadOnlyPaths", "TemporaryFileSystem", "MountImages",
  ]

  // MARK: Values

  /// Parses the words that systemd's `parse_boolean` accepts.
  static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "yes", "y", "true", "t", "on": true
    case "0", "no", "n", "false", "f", "off": false
    default: nil
    }
  }

  private mutating func boolean(_ value: String, _ key: String) -> Bool? {
    guard let result = Self.boolean(value) else {
      doubts.complain(key, value)
      return nil
    }
    doubts.settle(key)
    return result
  }

  private mutating func set(
    _ path: WritableKeyPath<UnitSettings, Bool>, _ value: String, _ key: String
  ) {
    // Some versions treat an empty value as "no", others ignore it.
    if value.isEmpty, !settings[keyPath: path] { return }
    if let value = boolean(value, key) { settings[keyPath: path] = value }
  }

  private mutating func setWord<Word: RawRepresentable<String>>(
    _ path: WritableKeyPath<UnitSettings, Word>, _ value: String, _ key: String
  ) {
    if value.isEmpty, ["no", "auto"].contains(settings[keyPath: path].rawValue) { return }
    guard let word = Word(rawValue: value) else { return doubts.complain(key, value) }
    doubts.settle(key)
    settings[keyPath: path] = word
  }

  /// Sets a value that is a word or one of the spellings of a Boolean.
  private mutating func setProtection<Word: RawRepresentable<String>>(
    _ path: WritableKeyPath<UnitSettings, Word>, _ value: String, _ key: String
  ) {
    setWord(path, Self.boolean(value).map { $0 ? "yes" : "no" } ?? value, key)
  }

  /// Appends words to a list, or clears the list if the value is empty.
  private mutating func append(
    _ value: String, to path: WritableKeyPath<UnitSettings, [String]>
  ) {
    guard !value.isEmpty else {
      settings[keyPath: path] = []
      return
    }
    // Quotes are part of the names here (`config_parse_user_group_strv_compat`).
    let words = value.unicodeScalars.split { " \t\r".unicodeScalars.contains($0) }.map(String.init)
    let room = UnitWords.limit - settings[keyPath: path].count
    settings[keyPath: path] += words.prefix(max(room, 0))
  }

  /// Appends paths with the prefixes `-` and `+`, in this order.
  ///
  /// systemd ignores a path that is not absolute (`config_parse_namespace_path_strv`). Only some
  /// versions ignore a path that contains `..`.
  private mutating func appendPaths(
    _ value: String, to path: WritableKeyPath<UnitSettings, [String]>, _ key: String
  ) {
    guard !value.isEmpty else {
      doubts.settle(key)
      settings[keyPath: path] = []
      return
    }
    for word in words(value, key, room: UnitWords.limit - settings[keyPath: path].count)
    where isPlace(UnitPathRule.withoutMarks(word).path, in: word, key) {
      settings[keyPath: path].append(word)
    }
  }

  /// Splits a value into words; if there are more than `room`, records a doubt and drops the rest.
  private mutating func words(_ value: String, _ key: String, room: Int) -> ArraySlice<String> {
    limited(UnitWords.split(value), key, room: room)
  }

  private mutating func limited<Word>(
    _ words: [Word], _ key: String, room: Int
  ) -> ArraySlice<Word> {
    if words.count > room || words.count == UnitWords.limit {
      doubts.add(key, "\(key)= is too long")
    }
    return words.prefix(max(room, 0))
  }

  private mutating func isPlace(_ path: Substring, in word: String, _ key: String) -> Bool {
    guard path.utf8.first == UInt8(ascii: "/") else {
      doubts.complain(key, word, isDoubt: false)
      return false
    }
    guard !path.parts(at: "/").contains("..") else {
      doubts.complain(key, word)
      return false
    }
    return true
  }

  /// Combines a value with a capability set.
  ///
  /// Values are added to the set. A leading `~` removes them instead, and an empty value clears the
  /// set. If the set still has its initial value, it is replaced (`config_parse_capability_set`).
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
        // No unknown capability permits opening a file.
        doubts.complain(key, word, isDoubt: false)
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
      doubts.settle("SecureBits")
      settings.secureBits = 0
      return
    }
    for word in UnitWords.split(value) {
      if let bit = bits[word] {
        settings.secureBits |= bit
      } else {
        doubts.complain("SecureBits", word)
      }
    }
  }

  private mutating func takeRoot(_ value: String, _ key: String) {
    let isUnset = value.isEmpty || value == "/"
    if key == "RootDirectory" {
      // The prefix `-` means that a missing folder is ignored.
      settings.rootDirectory = isUnset ? nil : UnitPath(value).path
    } else {
      rootImage = isUnset ? nil : value
    }
    settings.rootSetting =
      rootImage != nil ? "RootImage=" : settings.rootDirectory != nil ? "RootDirectory=" : nil
  }

  /// Parses `ExecStart=`, which may start with several of `@-:+!`; `+` and `!` affect the
  /// credentials.
  private mutating func takeStart(_ value: String) {
    guard !value.isEmpty else { return settings.forgetStart() }
    var isAtBegin = true
    for word in UnitWords.split(value) {
      // A line may contain several commands.
      if word == ";" {
        isAtBegin = true
      } else if isAtBegin {
        isAtBegin = false
        settings.take(UnitCommand(parsing: word))
      }
    }
  }

  private mutating func takeUserNamespace(_ value: String, _ key: String) {
    let word = Self.boolean(value).map { $0 ? "self" : "no" } ?? value
    guard let namespace = UnitSettings.UserNamespace(rawValue: word) else {
      if !value.isEmpty || settings.userNamespace != .none { doubts.complain(key, value) }
      return
    }
    doubts.settle(key)
    settings.userNamespace = namespace
  }

  /// Parses `PrivateTmp=`, which accepts `disconnected` since systemd 257.
  ///
  /// An unknown value can only hide the two temporary folders.
  private mutating func takePrivateTmp(_ value: String, _ key: String) {
    if value.isEmpty, !hasPrivateTmp { return }
    let isKnown = Self.boolean(value) != nil || value == "disconnected"
    if !isKnown { doubts.complain(key, value, isDoubt: false) }
    hasPrivateTmp = Self.boolean(value) ?? true
  }

  /// Removes the leading `-`, which means that a failure is ignored; returns `nil` if nothing is
  /// left.
  private static func withoutMark(_ value: String) -> String? {
    let text = value.hasPrefix("-") ? String(value.dropFirst()) : value
    return text.isEmpty ? nil : text
  }

  /// Parses `SOURCE:DESTINATION:OPTIONS`, or a path and the options of a tmpfs.
  private mutating func takeReplacement(_ value: String, _ key: String) {
    let setting = "\(key)="
    guard !value.isEmpty else {
      doubts.settle(key)
      settings.replacedPaths.removeAll { $0.setting == setting }
      return
    }
    // In all settings except MountImages=, a backslash only escapes the next character.
    if key == "MountImages", value.utf8.contains(UInt8(ascii: "\\")) {
      doubts.add(key, "\(setting) holds an escape")
    }
    let words = limited(
      UnitWords.fields(value), key, room: UnitWords.limit - settings.replacedPaths.count)
    for fields in words {
      let word = fields.joined(separator: ":")
      let source = UnitPathRule.withoutMarks(fields[0]).path
      let path = key != "TemporaryFileSystem" && fields.count > 1 ? fields[1][...] : source
      guard isPlace(path, in: word, key), isPlace(source, in: word, key) else { continue }
      var replaced = UnitSettings.ReplacedPath(
        setting: setting, path: UnitPath(String(path)).path)
      if key != "TemporaryFileSystem" {
        replaced.source = UnitPath(String(source)).path
        replaced.isOptional = fields[0].hasPrefix("-")
      }
      settings.replacedPaths.append(replaced)
    }
  }
}

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

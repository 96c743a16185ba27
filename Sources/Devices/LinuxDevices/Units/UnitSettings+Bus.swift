internal import AccessModel
internal import MessageBus

extension UnitSettings {
  /// Creates the settings that the manager reports for a service.
  init(service properties: inout UnitProperties) {
    self.init()
    user = properties.name("User")
    group = properties.name("Group")
    supplementaryGroups = properties.texts("SupplementaryGroups")
    isDynamicUser = properties.boolean("DynamicUser")
    if let running = properties.unsigned("UID"), running < UInt64(UInt32.max) {
      runningUser = UInt32(running)
    }
    readStart(&properties)
    privateDevices = properties.boolean("PrivateDevices")
    userNamespace = properties.boolean("PrivateUsers") ? .own : .none
    if properties.has("PrivateUsersEx") {
      userNamespace = word(&properties, "PrivateUsersEx") ?? userNamespace
    }
    noNewPrivileges = properties.boolean("NoNewPrivileges")
    readDevicePolicy(&properties)
    findPolicySetting(implied: Self.implied(by: &properties))
    protectHome = word(&properties, "ProtectHome") ?? .no
    protectSystem = word(&properties, "ProtectSystem") ?? .no
    readWritePaths = properties.texts("ReadWritePaths")
    readOnlyPaths = properties.texts("ReadOnlyPaths")
    inaccessiblePaths = properties.texts("InaccessiblePaths")
    boundingSet = CapabilitySet(bits: properties.unsigned("CapabilityBoundingSet") ?? 0)
    ambientSet = CapabilitySet(bits: properties.unsigned("AmbientCapabilities") ?? 0)
    secureBits = UInt32(truncatingIfNeeded: properties.signed("SecureBits") ?? 0)
    readPlaces(&properties)
    readInterfaces(&properties)
    readFilters(&properties)
    readMarks(&properties)
    if properties.has("PAMName") { pamName = properties.name("PAMName") }
    readsTerminal = properties["StandardInput"]?.text.map(Self.terminalInputs.contains) ?? false
    if properties.has("TTYPath") { terminalPath = properties.name("TTYPath") }
    if properties.has("ExecSearchPath") { searchPath = properties.texts("ExecSearchPath") }
    if properties.boolean("PrivateTmp") { addPrivateTemporaryFolders() }
    appArmorProfile = properties.optionalText("AppArmorProfile")
    selinuxContext = properties.optionalText("SELinuxContext")
    readProcesses(&properties)
  }

  /// Reads `DevicePolicy=` and `DeviceAllow=`, which slices and scopes also have.
  mutating func readDevicePolicy(_ properties: inout UnitProperties) {
    if let text = properties.text("DevicePolicy") {
      if let policy = DevicePolicy(rawValue: text) {
        devicePolicy = policy
      } else {
        doubts.append(Doubt("DevicePolicy= has the unknown value '\(text)'", .devices))
      }
    }
    deviceAllow = properties.structures("DeviceAllow", members: 2).map { members in
      DeviceAllowance(specifier: members[0].text ?? "", access: members[1].text ?? "")
    }
    // Older versions of systemd do not have this setting.
    if properties.has("BPFProgram"),
      properties.structures("BPFProgram", members: 2).contains(where: { $0[0].text == "device" })
    {
      doubts.append(.deviceProgram)
    }
  }

  /// Returns the `DeviceAllow=` lines that settings for other purposes add (`unit_patch_contexts`).
  private static func implied(
    by properties: inout UnitProperties
  ) -> [(setting: ServiceFacts.PolicySetting, lines: [DeviceAllowance])] {
    var implied: [(setting: ServiceFacts.PolicySetting, lines: [DeviceAllowance])] = []
    func add(_ setting: ServiceFacts.PolicySetting, _ lines: KeyValuePairs<String, String>) {
      let lines = lines.map { DeviceAllowance(specifier: $0, access: $1) }
      implied.append((setting, lines))
    }
    // Older versions of systemd report fewer settings. The answers do not depend on the missing
    // ones.
    if properties.has("ProtectClock"), properties.boolean("ProtectClock") {
      add(.protectClock, ["char-rtc": "r"])
    }
    let images =
      properties.has("MountImages") ? properties.structures("MountImages", members: 0) : []
    if !images.isEmpty || properties.name("RootImage") != nil {
      add(
        .images,
        [
          "/dev/loop-control": "rw", "/dev/mapper/control": "rw", "block-loop": "rwm",
          "block-blkext": "rwm", "block-device-mapper": "rwm",
        ])
    }
    if ["LoadCredentialEncrypted", "SetCredentialEncrypted"].contains(where: {
      properties.has($0) && !properties.structures($0, members: 0).isEmpty
    }) {
      add(.credentials, ["/dev/tpmrm0": "rw"])
    }
    return implied
  }

  /// Creates the device policy of a running service or scope, including the setting that closes it.
  init(running properties: inout UnitProperties) {
    self.init()
    readDevicePolicy(&properties)
    if properties.has("PrivateDevices") { privateDevices = properties.boolean("PrivateDevices") }
    findPolicySetting(
      implied: properties.has("RootImage") ? Self.implied(by: &properties) : [])
  }

  /// Reads the prefixes of `ExecStart=`, which systemd before 243 does not report.
  private mutating func readStart(_ properties: inout UnitProperties) {
    guard properties.has("ExecStartEx") else {
      problems.append("systemd does not report prefixes of ExecStart=")
      return
    }
    for command in properties.structures("ExecStartEx", members: 3) {
      let flags = command[2].texts ?? []
      let start: ServiceFacts.Start =
        flags.contains("privileged")
        ? .privileged : flags.contains("no-setuid") ? .asRoot : .restricted
      take(UnitCommand(start: start, program: command[0].text ?? ""))
    }
  }

  private mutating func readPlaces(_ properties: inout UnitProperties) {
    if let root = properties.name("RootDirectory"), root != "/" {
      rootSetting = "RootDirectory="
      rootDirectory = root
    }
    if properties.name("RootImage") != nil { rootSetting = "RootImage=" }
    if properties.has("MountAPIVFS") { mountsInterfaces = properties.boolean("MountAPIVFS") }
    for setting in ["BindPaths", "BindReadOnlyPaths", "MountImages"]
    where setting != "MountImages" || properties.has(setting) {
      replacedPaths += properties.structures(setting, members: 3).map { members in
        ReplacedPath(
          setting: "\(setting)=", path: Self.path(members[1]), source: Self.path(members[0]),
          isOptional: members[2].boolean ?? false)
      }
    }
    replacedPaths += properties.structures("TemporaryFileSystem", members: 1).map { members in
      ReplacedPath(setting: "TemporaryFileSystem=", path: Self.path(members[0]))
    }
    for (setting, parent) in Self.parentsOfCreated where properties.has(setting) {
      createdDirectories.formUnion(
        properties.texts(setting).map { UnitPath("\(parent)/\($0)").path })
      readLinks(&properties, setting, parent)
      if properties.has("\(setting)Mode"), let mode = properties.unsigned("\(setting)Mode") {
        let mode = UInt16(truncatingIfNeeded: mode & 0o7777)
        directoryModes[setting] = mode == Self.defaultDirectoryMode ? nil : mode
      }
    }
  }

  /// Reads the links to created directories, and the flag that makes one read-only for the service.
  private mutating func readLinks(
    _ properties: inout UnitProperties, _ setting: String, _ parent: String
  ) {
    let name = "\(setting)Symlink"
    guard properties.has(name) else { return }
    for members in properties.structures(name, members: 3) {
      let path = UnitPath("\(parent)/\(members[0].text ?? "")").path
      if let link = members[1].text, !link.isEmpty {
        directoryLinks.insert(UnitPath("\(parent)/\(link)").path)
      }
      if (members[2].unsigned ?? 0) & 1 != 0 {
        createdDirectories.insert(path)
        readOnlyDirectories.insert(path)
      }
    }
  }

  /// Reads settings whose presence matters, but not their value.
  private mutating func readMarks(_ properties: inout UnitProperties) {
    func set(_ keys: Set<String>) -> Set<String> {
      keys.filter { key in properties[key].map { Self.isSet($0, of: key) } ?? false }
    }
    callRestrictions = set(Self.callRestrictionKeys)
    credentialSettings = set(Self.credentialKeys)
    namespaceSettings = set(Self.namespaceKeys)
  }

  private static func isSet(_ value: BusValue, of key: String) -> Bool {
    switch value {
    case .boolean(let isSet): return isSet
    case .text(let text): return !text.isEmpty
    case .unsigned(let bits):
      // RestrictNamespaces= contains the allowed namespaces. Mount flags of 0 or `shared`, which is
      // the default, do not create a namespace.
      return key == "RestrictNamespaces"
        ? bits & Self.allNamespaces != Self.allNamespaces : bits != 0 && bits != 1 << 20
    case .list(let elements):
      // Some properties are a pair: a flag that marks an allow list, and the list itself.
      if elements.count == 2, let isAllowList = elements[0].boolean {
        return isAllowList || !(elements[1].elements ?? []).isEmpty
      }
      return !elements.isEmpty
    case .signed, .descriptor, .other: return true
    }
  }

  /// The clone(2) flags of all namespaces in the first version of `RestrictNamespaces=`.
  private static let allNamespaces: UInt64 = 0x7E02_0000

  private static func path(_ value: BusValue) -> String { UnitPath(value.text ?? "").path }

  /// Reads the settings that protect kernel interfaces; newer versions report more of them.
  private mutating func readInterfaces(_ properties: inout UnitProperties) {
    for protection in UnitProtection.allCases where properties.has(protection.rawValue) {
      // The newer property is a word, or a structure that starts with one. The older property is a
      // Boolean.
      let newer = properties["\(protection.rawValue)Ex"]
      if let word = newer?.text ?? newer?.elements?.first?.text {
        take(protection, word)
      } else {
        take(protection, properties.boolean(protection.rawValue) ? "yes" : "no")
      }
    }
    for place in UnitPrivateMount.allCases {
      guard let value = properties[place.rawValue] else { continue }
      let isSet =
        switch value {
        case .boolean(let isSet): isSet
        case .text(let text): place.isSet(by: text) ?? false
        case .list(let elements): !elements.isEmpty
        case .unsigned, .signed, .descriptor, .other: true
        }
      take(place, isSet: isSet)
    }
  }

  /// Reads the filters that apply when a file is opened or executed.
  private mutating func readFilters(_ properties: inout UnitProperties) {
    if let (isAllowList, calls) = properties.filter("SystemCallFilter"),
      !UnitCallFilter(isAllowList: isAllowList, calls: calls).mayOpen
    {
      doubts.append(.callFilter)
    }
    if let (isAllowList, types) = properties.filter("RestrictFileSystems"),
      isAllowList || !types.isEmpty
    {
      doubts.append(.fileSystems)
    }
    if properties.has("NoExecPaths"), !properties.texts("NoExecPaths").isEmpty {
      doubts.append(.programs)
    }
  }

  private mutating func readProcesses(_ properties: inout UnitProperties) {
    if let number = properties.unsigned("MainPID"), number > 0 {
      mainProcess = Int32(exactly: number)
    }
    controlGroup = properties.name("ControlGroup")
  }

  private mutating func word<Word: RawRepresentable<String>>(
    _ properties: inout UnitProperties, _ key: String
  ) -> Word? {
    guard let text = properties.text(key) else { return nil }
    let word = Word(rawValue: text)
    if word == nil { doubts.append(Doubt("\(key)= has the unknown value '\(text)'")) }
    return word
  }
}

/// The properties of one interface of a unit, as the manager reports them in one reply.
///
/// org.freedesktop.systemd1(5) lists their names.
struct UnitProperties: Hashable, Sendable {
  private let values: [String: BusValue]
  /// The requested properties that are missing or have an unexpected type.
  private(set) var missing: [String] = []

  init(_ values: [String: BusValue]) {
    self.values = values
  }

  /// Parses the reply to `GetAll`, `(a{sv})`.
  ///
  /// - Throws: `E2BIG` if the reply has another structure, as a truncated one does.
  init(answer: BusValue) throws(Errno) {
    var values: [String: BusValue] = [:]
    for property in answer.elements ?? [] {
      guard let pair = property.elements, pair.count == 2, let name = pair[0].text else {
        throw .tooBig
      }
      values[name] = pair[1]
    }
    self.init(values)
  }

  /// Returns whether this version of systemd reports a property.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of a property of any type; a missing one is not added to ``missing``.
  subscript(name: String) -> BusValue? { values[name] }

  mutating func text(_ name: String) -> String? {
    noted(name, values[name]?.text)
  }

  /// Returns a string property, or `nil` if it is empty or missing.
  mutating func name(_ name: String) -> String? {
    text(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  mutating func texts(_ name: String) -> [String] {
    noted(name, values[name]?.texts) ?? []
  }

  mutating func boolean(_ name: String) -> Bool {
    guard case .boolean(let value) = values[name] else {
      missing.append(name)
      return false
    }
    return value
  }

  mutating func unsigned(_ name: String) -> UInt64? {
    guard case .unsigned(let value) = values[name] else {
      missing.append(name)
      return nil
    }
    return value
  }

  mutating func signed(_ name: String) -> Int64? {
    guard case .signed(let value) = values[name] else {
      missing.append(name)
      return nil
    }
    return value
  }

  /// Returns the structures in an array; each must have at least `count` members.
  mutating func structures(_ name: String, members count: Int) -> [[BusValue]] {
    let structures = values[name]?.elements?.map { $0.elements ?? [] }
    guard let structures, structures.allSatisfy({ $0.count >= count }) else {
      missing.append(name)
      return []
    }
    return structures
  }

  /// Returns the string of a property of type `(bs)`, whose Boolean tells whether a failure is
  /// ignored.
  mutating func optionalText(_ name: String) -> String? {
    guard let members = values[name]?.elements, members.count == 2, let text = members[1].text
    else {
      missing.append(name)
      return nil
    }
    return text.isEmpty ? nil : text
  }

  /// Returns the value of a property of type `(bas)`, whose Boolean tells whether it is an allow
  /// list.
  ///
  /// Returns `nil` if this version of systemd does not report the property, or if the value is
  /// malformed, which is recorded.
  mutating func filter(_ name: String) -> (isAllowList: Bool, names: [String])? {
    guard let value = values[name] else { return nil }
    guard let members = value.elements, members.count == 2, let isAllowList = members[0].boolean,
      let names = members[1].texts
    else {
      missing.append(name)
      return nil
    }
    return (isAllowList, names)
  }

  private mutating func noted<Value>(_ name: String, _ value: Value?) -> Value? {
    if value == nil { missing.append(name) }
    return value
  }
}

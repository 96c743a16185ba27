internal import AccessModel
internal import MessageBus

extension UnitSettings {
  /// The settings that the manager tells of a service.
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
    if properties.boolean("PrivateTmp") { addPrivateTemporaryFolders() }
    appArmorProfile = properties.optionalText("AppArmorProfile")
    selinuxContext = properties.optionalText("SELinuxContext")
    readProcesses(&properties)
  }

  /// `DevicePolicy=` and `DeviceAllow=`, which slices and scopes have as well.
  mutating func readDevicePolicy(_ properties: inout UnitProperties) {
    if let text = properties.text("DevicePolicy") {
      if let policy = DevicePolicy(rawValue: text) {
        devicePolicy = policy
      } else {
        doubts.append("DevicePolicy= has the value '\(text)', which is not known")
      }
    }
    deviceAllow = properties.structures("DeviceAllow", members: 2).map { members in
      DeviceAllowance(specifier: members[0].text ?? "", access: members[1].text ?? "")
    }
  }

  /// The lines of `DeviceAllow=` that settings for other purposes add (`unit_patch_contexts`).
  private static func implied(
    by properties: inout UnitProperties
  ) -> [(setting: ServiceFacts.PolicySetting, lines: [DeviceAllowance])] {
    var implied: [(setting: ServiceFacts.PolicySetting, lines: [DeviceAllowance])] = []
    func add(_ setting: ServiceFacts.PolicySetting, _ lines: KeyValuePairs<String, String>) {
      let lines = lines.map { DeviceAllowance(specifier: $0, access: $1) }
      implied.append((setting, lines))
    }
    // Older systems tell less, and no answer misses any of these.
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

  /// The device policy of a service or scope that runs, and which of its settings closes it.
  init(running properties: inout UnitProperties) {
    self.init()
    readDevicePolicy(&properties)
    if properties.has("PrivateDevices") { privateDevices = properties.boolean("PrivateDevices") }
    findPolicySetting(
      implied: properties.has("RootImage") ? Self.implied(by: &properties) : [])
  }

  /// The prefixes of `ExecStart=`; systemd before 243 does not tell them.
  private mutating func readStart(_ properties: inout UnitProperties) {
    guard properties.has("ExecStartEx") else {
      problems.append("whether ExecStart= has a prefix is not told")
      return
    }
    for command in properties.structures("ExecStartEx", members: 3) {
      let flags = command[2].texts ?? []
      take(
        start: flags.contains("privileged")
          ? .privileged : flags.contains("no-setuid") ? .asRoot : .restricted)
    }
  }

  private mutating func readPlaces(_ properties: inout UnitProperties) {
    if let root = properties.name("RootDirectory"), root != "/" {
      rootSetting = "RootDirectory="
      rootDirectory = root
    }
    if properties.name("RootImage") != nil { rootSetting = "RootImage=" }
    if properties.has("MountAPIVFS") { mountsInterfaces = properties.boolean("MountAPIVFS") }
    for (setting, place) in [
      ("BindPaths", 1), ("BindReadOnlyPaths", 1), ("TemporaryFileSystem", 0),
    ] {
      let structures = properties.structures(setting, members: place + 1)
      replacedPaths += structures.map { members in
        let path = UnitPath(members[place].text ?? "").path
        return ReplacedPath(
          setting: "\(setting)=", path: path,
          isSame: place == 1 && UnitPath(members[0].text ?? "").path == path)
      }
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
    if word == nil { doubts.append("\(key)= has the value '\(text)', which is not known") }
    return word
  }
}

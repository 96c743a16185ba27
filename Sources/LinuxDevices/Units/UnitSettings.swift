internal import AccessModel

/// The settings of a service that decide what its processes may open (systemd.exec(5),
/// systemd.resource-control(5)).
struct UnitSettings: Hashable, Sendable {
  /// `ProtectHome=`.
  enum HomeProtection: String, Hashable, Sendable {
    case no, yes
    case readOnly = "read-only"
    case tmpfs
  }

  /// `ProtectSystem=`.
  enum SystemProtection: String, Hashable, Sendable {
    case no, yes, full, strict
  }

  /// `DevicePolicy=`.
  enum DevicePolicy: String, Hashable, Sendable {
    case auto, closed, strict
  }

  /// One `DeviceAllow=`: a node or a class, and letters of `rwm`.
  struct DeviceAllowance: Hashable, Sendable {
    var specifier: String
    var access: String
  }

  /// `PrivateUsers=`: what the unit's own user namespace maps.
  enum UserNamespace: String, Hashable, Sendable {
    /// There is none.
    case none = "no"
    /// Root and the unit's own user, each to itself.
    case own = "self"
    /// The first 65536 identifiers, each to itself.
    case identity
    /// Every identifier, each to itself.
    case full
  }

  /// The device policy of a slice above the unit, which the kernel asks as well.
  struct SlicePolicy: Hashable, Sendable {
    var unit: String
    var policy: DevicePolicy
    var allow: [DeviceAllowance]
    /// The setting that closes it.
    var setting: ServiceFacts.PolicySetting?
    /// When its device program was compiled, in microseconds since the boot; `nil` when it will
    /// be, or when nobody told.
    var compiledAt: UInt64?
  }

  var user: String?
  var group: String?
  var supplementaryGroups: [String] = []
  var isDynamicUser = false
  /// The number that a dynamic user has now; only a running unit has one.
  var runningUser: UInt32?

  /// The prefix of `ExecStart=`; `nil` without any command.
  private(set) var start: ServiceFacts.Start?
  /// Whether the commands of a service have several prefixes.
  private(set) var hasSeveralStarts = false
  /// The commands of `ExecStart=`, in their order.
  private(set) var commands: [UnitCommand] = []
  /// `ExecSearchPath=`.
  var searchPath: [String] = []

  var privateDevices = false
  var devicePolicy = DevicePolicy.auto
  var deviceAllow: [DeviceAllowance] = []
  /// Which setting closes the device policy; `nil` where none does.
  private(set) var policySetting: ServiceFacts.PolicySetting?

  var protectHome = HomeProtection.no
  var protectSystem = SystemProtection.no
  var readWritePaths: [String] = []
  var readOnlyPaths: [String] = []
  var inaccessiblePaths: [String] = []
  /// `ProtectKernelTunables=` and its like.
  private(set) var protections: Set<UnitProtection> = []
  /// `RuntimeDirectory=` and its like: what systemd creates before it looks for any path.
  var createdDirectories: Set<String> = []
  /// Those of them that the service may not write to (`NAME::ro`).
  var readOnlyDirectories: Set<String> = []
  /// The links to them that systemd creates (`NAME:LINK`).
  var directoryLinks: Set<String> = []
  /// `StateDirectoryMode=` and its like, by the setting without `Mode`.
  var directoryModes: [String: UInt16] = [:]

  var boundingSet = CapabilitySet.all
  var ambientSet = CapabilitySet()
  var secureBits: UInt32 = 0
  var noNewPrivileges = false
  /// The settings that restrict system calls and nothing else, such as `RestrictRealtime`.
  ///
  /// Older versions of systemd set `NoNewPrivileges=` beside them, for another user than root.
  var callRestrictions: Set<String> = []
  /// `PAMName=`.
  var pamName: String?
  /// Whether `StandardInput=` is a terminal.
  var readsTerminal = false
  /// `TTYPath=`.
  var terminalPath: String?
  /// The settings that give the service credentials, such as `LoadCredential`.
  var credentialSettings: Set<String> = []
  /// The settings that make a mount namespace and change no path in it, such as `PrivateMounts`.
  var namespaceSettings: Set<String> = []
  var userNamespace = UserNamespace.none

  /// `RootDirectory=` or `RootImage=`: every path has another meaning.
  var rootSetting: String?
  var rootDirectory: String?
  /// `MountAPIVFS=`, where it is set.
  var mountsInterfaces: Bool?
  var appArmorProfile: String?
  var selinuxContext: String?
  /// Settings that put something else at a path: the setting, and where.
  var replacedPaths: [ReplacedPath] = []
  /// What was passed over, as systemd does, one clause each.
  var problems: [String] = []
  /// What may restrict the unit and was not read or not understood.
  var doubts: [Doubt] = []
  /// The unit's name in systemd, where its files tell it.
  var realName: UnitName?
  /// The slice that it is put into, when its files name one.
  var slice: String?
  /// Those of the slices above it that restrict, the nearest first.
  var slicePolicies: [SlicePolicy] = []
  /// When its own device program was compiled; `nil` when it does not run.
  var compiledAt: UInt64?
  /// The main process of a running service.
  var mainProcess: Int32?
  /// The control group of a running service.
  var controlGroup: String?

  /// A path at which a setting puts something that was not observed.
  struct ReplacedPath: Hashable, Sendable {
    var setting: String
    var path: String
    /// The machine's path of what comes there; `nil` for something new.
    var source: String?
    /// Whether systemd passes over a source that is missing.
    var isOptional = false
    /// Whether it is what is there outside.
    var isSame: Bool { source == path }
  }

  /// Something that may restrict the unit and was not read or not understood.
  struct Doubt: Hashable, Sendable {
    /// What it can keep the unit from.
    enum Concern: Hashable, Sendable {
      case anything
      /// Opening devices.
      case devices
      /// Running programs.
      case programs
      /// Opening anything, by what nobody can see of a process that runs.
      case calls
    }

    /// What it is, as one clause.
    var reason: String
    var concern = Concern.anything

    init(_ reason: String, _ concern: Concern = .anything) {
      self.reason = reason
      self.concern = concern
    }

    static let callFilter = Doubt("SystemCallFilter= may forbid openat(2)", .calls)
    static let fileSystems = Doubt(
      "RestrictFileSystems= may forbid the file system of the path", .calls)
    static let programs = Doubt("NoExecPaths= may forbid executing it", .programs)
    static let sharedUsers = Doubt(
      "JoinsNamespaceOf= may give PrivateUsers= the user namespace of another unit")
    static let deviceProgram = Doubt("BPFProgram= adds a device program", .devices)
  }

  /// Takes one command of `ExecStart=`.
  ///
  /// Of several prefixes the one that has the least counts.
  mutating func take(_ command: UnitCommand) {
    if commands.count < UnitWords.limit { commands.append(command) }
    let next = command.start
    let order: [ServiceFacts.Start] = [.restricted, .asRoot, .privileged]
    guard let start else {
      start = next
      return
    }
    guard start != next else { return }
    hasSeveralStarts = true
    self.start = order.first { $0 == start || $0 == next }
  }

  /// An empty `ExecStart=` takes the commands before it away.
  mutating func forgetStart() {
    start = nil
    hasSeveralStarts = false
    commands = []
  }

  /// What holds for a command with the prefix `+`: the device policy, what the settings put elsewhere,
  /// and the groups that systemd has looked up before it leaves everything else out.
  var withoutSandbox: UnitSettings {
    var settings = UnitSettings()
    settings.user = user
    settings.group = group
    settings.isDynamicUser = isDynamicUser
    settings.start = start
    settings.hasSeveralStarts = hasSeveralStarts
    settings.commands = commands
    settings.searchPath = searchPath
    settings.createdDirectories = createdDirectories
    settings.readOnlyDirectories = readOnlyDirectories
    settings.directoryLinks = directoryLinks
    settings.directoryModes = directoryModes
    settings.readsTerminal = readsTerminal
    settings.terminalPath = terminalPath
    settings.credentialSettings = credentialSettings
    // It has mounts of its own all the same, of which the lists of paths are left out.
    if hasMountNamespace { settings.namespaceSettings = Self.namespaceKeys }
    settings.rootSetting = rootSetting
    settings.rootDirectory = rootDirectory
    settings.mountsInterfaces = false
    settings.replacedPaths = replacedPaths.filter { Self.settingsOfAnyStart.contains($0.setting) }
    settings.devicePolicy = devicePolicy
    settings.deviceAllow = deviceAllow
    settings.policySetting = policySetting
    settings.slicePolicies = slicePolicies
    settings.compiledAt = compiledAt
    settings.mainProcess = mainProcess
    settings.controlGroup = controlGroup
    settings.problems = problems
    settings.doubts = doubts.filter { doubt in
      (doubt.concern == .anything || doubt.concern == .devices) && doubt != .sharedUsers
    }
    settings.realName = realName
    return settings
  }

  /// Whether `/dev`, `/proc` and `/sys` are mounted below another root directory.
  var hasInterfacesBelowRoot: Bool { mountsInterfaces ?? true }

  /// `PrivateTmp=` gives the unit folders of its own, which nobody can see before the start.
  mutating func addPrivateTemporaryFolders() {
    let folders = ["/tmp", "/var/tmp"].map { ReplacedPath(setting: "PrivateTmp=", path: $0) }
    replacedPaths += folders.filter { !replacedPaths.contains($0) }
  }

  /// Takes a value of one of the settings that protect interfaces of the kernel.
  ///
  /// A word that is no boolean, which newer versions of systemd have, does something else there.
  mutating func take(_ protection: UnitProtection, _ word: String) {
    replacedPaths.removeAll { $0.setting == protection.setting }
    switch UnitSettingsReader.boolean(word) {
    case true?: protections.insert(protection)
    case false?: protections.remove(protection)
    case nil:
      protections.remove(protection)
      replace(protection.rules.map(\.path), by: protection.setting)
    }
  }

  /// Takes whether one of the settings is set that mount something of the unit's own.
  mutating func take(_ place: UnitOwnPlace, isSet: Bool) {
    let setting = "\(place.rawValue)="
    replacedPaths.removeAll { $0.setting == setting }
    if isSet { replace(place.paths, by: setting) }
  }

  /// Where systemd creates what a setting names.
  static let parentsOfCreated = [
    "RuntimeDirectory": "/run", "StateDirectory": "/var/lib", "CacheDirectory": "/var/cache",
    "LogsDirectory": "/var/log", "ConfigurationDirectory": "/etc",
  ]

  /// The settings that put something at a path for every command, whatever its prefix is
  /// (`apply_mount_namespace`).
  private static let settingsOfAnyStart: Set<String> = [
    "BindPaths=", "BindReadOnlyPaths=", "ExtensionDirectories=", "ExtensionImages=",
    "LogNamespace=", "MountImages=", "TemporaryFileSystem=",
  ]
  /// The values of `StandardInput=` for which systemd opens the terminal of `TTYPath=`.
  static let terminalInputs: Set<String> = ["tty", "tty-force", "tty-fail"]
  /// What `StateDirectoryMode=` and its like are unless they are set.
  static let defaultDirectoryMode: UInt16 = 0o755
  /// Settings that filter system calls (`context_has_no_new_privileges`).
  static let callRestrictionKeys: Set<String> = [
    "LockPersonality", "MemoryDenyWriteExecute", "ProtectClock", "RestrictAddressFamilies",
    "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID", "SystemCallArchitectures",
    "SystemCallFilter", "SystemCallLog",
  ]
  /// Settings that give credentials to a service.
  static let credentialKeys: Set<String> = [
    "ImportCredential", "LoadCredential", "LoadCredentialEncrypted", "SetCredential",
    "SetCredentialEncrypted",
  ]
  /// Settings that make a mount namespace and change no path in it.
  static let namespaceKeys: Set<String> = [
    "ExecPaths", "MountFlags", "NoExecPaths", "PrivateMounts",
  ]

  /// The setting for which systemd creates a directory.
  static func setting(creating path: UnitPath) -> String {
    let parent = parentsOfCreated.first { UnitPath($0.value).covers(path.path) }
    return "\(parent?.key ?? "StateDirectory")="
  }

  /// The terminal that systemd gives to the user of the unit as its standard input.
  var terminal: String? {
    readsTerminal && (user != nil || isDynamicUser) ? terminalPath ?? "/dev/console" : nil
  }

  /// Whether some version of systemd sets `NoNewPrivileges=` for another user than root, because
  /// settings filter system calls (`context_has_no_new_privileges`).
  var mayForbidNewPrivileges: Bool {
    privateDevices || !callRestrictions.isEmpty
      || !protections.isDisjoint(with: [.tunables, .modules, .logs, .hostName])
  }

  /// Whether the unit has mounts of its own, as far as its settings tell
  /// (`exec_needs_mount_namespace`).
  var hasMountNamespace: Bool {
    privateDevices || protectHome != .no || protectSystem != .no || rootSetting != nil
      || !namespaceSettings.isEmpty || !replacedPaths.isEmpty || !readOnlyDirectories.isEmpty
      || !protections.subtracting([.hostName]).isEmpty
      || [readWritePaths, readOnlyPaths, inaccessiblePaths].contains { !$0.isEmpty }
  }

  /// What a setting can keep the unit from whose value is not known.
  static func concern(of key: String) -> Doubt.Concern {
    ["DevicePolicy", "DeviceAllow", "Slice"].contains(key) ? .devices : .anything
  }

  private mutating func replace(_ paths: [String], by setting: String) {
    replacedPaths += paths.map { ReplacedPath(setting: setting, path: $0) }
  }

  /// Finds out which setting closes the device policy, once all of them are known.
  ///
  /// - Parameter implied: The lines of `DeviceAllow=` that other settings add, each with its setting;
  ///   systemd 252 and later add them beside another policy alone.
  mutating func findPolicySetting(
    implied: [(setting: ServiceFacts.PolicySetting, lines: [DeviceAllowance])] = []
  ) {
    policySetting =
      switch devicePolicy {
      case .strict: .strict
      case .closed: privateDevices ? .privateDevices : .closed
      case .auto where deviceAllow.isEmpty: nil
      case .auto:
        implied.flatMap(\.lines).count == deviceAllow.count
          && implied.allSatisfy { $0.lines.allSatisfy(deviceAllow.contains) }
          ? implied.first?.setting ?? .list : .list
      }
  }

  /// What follows from the settings together, as systemd's `unit_patch_contexts` does.
  ///
  /// Not for settings that systemd itself reports: it has done so already.
  mutating func applyImplications(protectsClock: Bool) {
    if isDynamicUser {
      // Also NoNewPrivileges=, RestrictSUIDSGID=, PrivateTmp= and RemoveIPC=.
      if protectSystem != .strict { protectSystem = .strict }
      if protectHome == .no { protectHome = .readOnly }
      noNewPrivileges = true
      callRestrictions.insert("RestrictSUIDSGID")
      addPrivateTemporaryFolders()
    }
    if privateDevices {
      boundingSet.subtract([.makeDeviceNodes, .rawInputOutput])
      if devicePolicy == .auto { devicePolicy = .closed }
    }
    for protection in protections { boundingSet.subtract(protection.lostCapabilities) }
    // Only beside another policy: alone it would refuse everything else.
    if protectsClock, devicePolicy != .auto || !deviceAllow.isEmpty {
      deviceAllow.append(DeviceAllowance(specifier: "char-rtc", access: "r"))
    }
  }
}

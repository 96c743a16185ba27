internal import AccessModel

/// The settings of a service that determine which objects its processes may open (systemd.exec(5),
/// systemd.resource-control(5)).
struct UnitSettings: Hashable, Sendable {
  /// The values of `ProtectHome=`.
  enum HomeProtection: String, Hashable, Sendable {
    case no, yes
    case readOnly = "read-only"
    case tmpfs
  }

  /// The values of `ProtectSystem=`.
  enum SystemProtection: String, Hashable, Sendable {
    case no, yes, full, strict
  }

  /// The values of `DevicePolicy=`.
  enum DevicePolicy: String, Hashable, Sendable {
    case auto, closed, strict
  }

  /// A line of `DeviceAllow=`: a node or a class, and a combination of the letters `rwm`.
  struct DeviceAllowance: Hashable, Sendable {
    var specifier: String
    var access: String
  }

  /// The IDs that the unit's own user namespace maps, according to `PrivateUsers=`.
  enum UserNamespace: String, Hashable, Sendable {
    /// No user namespace.
    case none = "no"
    /// Root and the unit's own user and group, each mapped to itself.
    case own = "self"
    /// The first 65,536 IDs, each mapped to itself.
    case identity
    /// All IDs, each mapped to itself.
    case full
  }

  /// The device policy of a parent slice, which the kernel also enforces.
  struct SlicePolicy: Hashable, Sendable {
    var unit: String
    var policy: DevicePolicy
    var allow: [DeviceAllowance]
    /// The setting that closes the policy.
    var setting: ServiceFacts.PolicySetting?
    /// The time when the device program was compiled, in microseconds since boot.
    ///
    /// The value is `nil` if the program is not compiled yet, or if systemd did not report the
    /// time.
    var compiledAt: UInt64?
  }

  var user: String?
  var group: String?
  var supplementaryGroups: [String] = []
  var isDynamicUser = false
  /// The user ID of the dynamic user; `nil` if the unit is not running.
  var runningUser: UInt32?

  /// The prefix of the `ExecStart=` commands; `nil` if there is no command.
  private(set) var start: ServiceFacts.Start?
  /// A Boolean value that indicates whether the commands of a service have different prefixes.
  private(set) var hasSeveralStarts = false
  /// The commands of `ExecStart=`, in order.
  private(set) var commands: [UnitCommand] = []
  /// The value of `ExecSearchPath=`.
  var searchPath: [String] = []

  var privateDevices = false
  var devicePolicy = DevicePolicy.auto
  var deviceAllow: [DeviceAllowance] = []
  /// The setting that closes the device policy; `nil` if none does.
  private(set) var policySetting: ServiceFacts.PolicySetting?

  var protectHome = HomeProtection.no
  var protectSystem = SystemProtection.no
  var readWritePaths: [String] = []
  var readOnlyPaths: [String] = []
  var inaccessiblePaths: [String] = []
  /// The active settings among `ProtectKernelTunables=` and similar ones.
  private(set) var protections: Set<UnitProtection> = []
  /// The directories that systemd creates for `RuntimeDirectory=` and similar settings, before it
  /// resolves any path.
  var createdDirectories: Set<String> = []
  /// The created directories that are read-only for the service (`NAME::ro`).
  var readOnlyDirectories: Set<String> = []
  /// The symbolic links to these directories that systemd creates (`NAME:LINK`).
  var directoryLinks: Set<String> = []
  /// The values of `StateDirectoryMode=` and similar settings, keyed by the setting without `Mode`.
  var directoryModes: [String: UInt16] = [:]

  var boundingSet = CapabilitySet.all
  var ambientSet = CapabilitySet()
  var secureBits: UInt32 = 0
  var noNewPrivileges = false
  /// The settings that only restrict system calls, such as `RestrictRealtime`.
  ///
  /// If the user is not root, older versions of systemd also set `NoNewPrivileges=` for these
  /// settings.
  var callRestrictions: Set<String> = []
  /// The value of `PAMName=`.
  var pamName: String?
  /// A Boolean value that indicates whether `StandardInput=` is a terminal.
  var readsTerminal = false
  /// The value of `TTYPath=`.
  var terminalPath: String?
  /// The settings that pass credentials to the service, such as `LoadCredential`.
  var credentialSettings: Set<String> = []
  /// The settings that create a mount namespace without changing a path in it, such as
  /// `PrivateMounts`.
  var namespaceSettings: Set<String> = []
  var userNamespace = UserNamespace.none

  /// The setting that changes the root directory and therefore every path: `RootDirectory=` or
  /// `RootImage=`.
  var rootSetting: String?
  var rootDirectory: String?
  /// The value of `MountAPIVFS=`; `nil` if it is not set.
  var mountsInterfaces: Bool?
  var appArmorProfile: String?
  var selinuxContext: String?
  /// The paths at which settings mount something else.
  var replacedPaths: [ReplacedPath] = []
  /// The settings that were ignored because systemd ignores them too, one clause each.
  var problems: [String] = []
  /// Possible restrictions of the unit that could not be read or understood.
  var doubts: [Doubt] = []
  /// The name that systemd uses for the unit, if its files reveal it.
  var realName: UnitName?
  /// The slice that contains the unit, if its files name one.
  var slice: String?
  /// The restrictive policies of the parent slices, nearest first.
  var slicePolicies: [SlicePolicy] = []
  /// The time when the unit's device program was compiled; `nil` if the unit is not running.
  var compiledAt: UInt64?
  /// The main process of a running service.
  var mainProcess: Int32?
  /// The control group of a running service.
  var controlGroup: String?

  /// A path at which a setting mounts something that was not observed.
  struct ReplacedPath: Hashable, Sendable {
    var setting: String
    var path: String
    /// The path of the source on the machine; `nil` if the setting mounts something new.
    var source: String?
    /// A Boolean value that indicates whether systemd ignores a missing source.
    var isOptional = false
    /// A Boolean value that indicates whether the path shows the same object as outside the unit.
    var isSame: Bool { source == path }
  }

  /// A possible restriction of the unit that could not be read or understood.
  struct Doubt: Hashable, Sendable {
    /// The operations that the restriction may prevent.
    enum Concern: Hashable, Sendable {
      case anything
      /// Opening devices.
      case devices
      /// Running programs.
      case programs
      /// Opening any file; the view of a running process does not show such a restriction.
      case calls
    }

    /// The restriction as a clause for a sentence.
    var reason: String
    var concern = Concern.anything

    init(_ reason: String, _ concern: Concern = .anything) {
      self.reason = reason
      self.concern = concern
    }

    static let callFilter = Doubt("SystemCallFilter= may forbid openat(2)", .calls)
    static let fileSystems = Doubt(
      "RestrictFileSystems= may forbid the filesystem of the path", .calls)
    static let programs = Doubt("NoExecPaths= may forbid executing it", .programs)
    static let sharedUsers = Doubt(
      "JoinsNamespaceOf= may give PrivateUsers= the user namespace of another unit")
    static let deviceProgram = Doubt("BPFProgram= adds a device program", .devices)
  }

  /// Adds a command of `ExecStart=`.
  ///
  /// If the commands have different prefixes, the one with the fewest privileges is used.
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

  /// Removes the previous commands, as an empty `ExecStart=` does.
  mutating func forgetStart() {
    start = nil
    hasSeveralStarts = false
    commands = []
  }

  /// The settings that apply to a command with the prefix `+`.
  ///
  /// They include the device policy and the settings that mount something at a path. They also
  /// include the user and group, which systemd looks up before it skips the other settings.
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
    // The command still has its own mount namespace, but the lists of paths do not apply.
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

  /// A Boolean value that indicates whether systemd mounts `/dev`, `/proc` and `/sys` in another
  /// root directory.
  var hasInterfacesBelowRoot: Bool { mountsInterfaces ?? true }

  /// Adds the private temporary folders of `PrivateTmp=`, whose contents are unknown before the
  /// start.
  mutating func addPrivateTemporaryFolders() {
    let folders = ["/tmp", "/var/tmp"].map { ReplacedPath(setting: "PrivateTmp=", path: $0) }
    replacedPaths += folders.filter { !replacedPaths.contains($0) }
  }

  /// Applies a value of a setting that protects kernel interfaces.
  ///
  /// Newer versions of systemd also accept words that are not Boolean values. These mount something
  /// else at the paths.
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

  /// Applies a setting that mounts something private at known paths.
  mutating func take(_ place: UnitPrivateMount, isSet: Bool) {
    let setting = "\(place.rawValue)="
    replacedPaths.removeAll { $0.setting == setting }
    if isSet { replace(place.paths, by: setting) }
  }

  /// The parent folder of the directories that systemd creates for each setting.
  static let parentsOfCreated = [
    "RuntimeDirectory": "/run", "StateDirectory": "/var/lib", "CacheDirectory": "/var/cache",
    "LogsDirectory": "/var/log", "ConfigurationDirectory": "/etc",
  ]

  /// The settings that mount something at a path for every command, regardless of its prefix
  /// (`apply_mount_namespace`).
  private static let settingsOfAnyStart: Set<String> = [
    "BindPaths=", "BindReadOnlyPaths=", "ExtensionDirectories=", "ExtensionImages=",
    "LogNamespace=", "MountImages=", "TemporaryFileSystem=",
  ]
  /// The values of `StandardInput=` that make systemd open the terminal of `TTYPath=`.
  static let terminalInputs: Set<String> = ["tty", "tty-force", "tty-fail"]
  /// The default of `StateDirectoryMode=` and similar settings.
  static let defaultDirectoryMode: UInt16 = 0o755
  /// The settings that filter system calls (`context_has_no_new_privileges`).
  static let callRestrictionKeys: Set<String> = [
    "LockPersonality", "MemoryDenyWriteExecute", "ProtectClock", "RestrictAddressFamilies",
    "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID", "SystemCallArchitectures",
    "SystemCallFilter", "SystemCallLog",
  ]
  /// The settings that pass credentials to a service.
  static let credentialKeys: Set<String> = [
    "ImportCredential", "LoadCredential", "LoadCredentialEncrypted", "SetCredential",
    "SetCredentialEncrypted",
  ]
  /// The settings that create a mount namespace without changing a path in it.
  static let namespaceKeys: Set<String> = [
    "ExecPaths", "MountFlags", "NoExecPaths", "PrivateMounts",
  ]

  /// Returns the setting that makes systemd create a directory.
  static func setting(creating path: UnitPath) -> String {
    let parent = parentsOfCreated.first { UnitPath($0.value).covers(path.path) }
    return "\(parent?.key ?? "StateDirectory")="
  }

  /// The terminal that systemd gives to the unit's user as standard input.
  var terminal: String? {
    readsTerminal && (user != nil || isDynamicUser) ? terminalPath ?? "/dev/console" : nil
  }

  /// A Boolean value that indicates whether some version of systemd sets `NoNewPrivileges=` for
  /// users other than root.
  ///
  /// systemd does so if settings filter system calls (`context_has_no_new_privileges`).
  var mayForbidNewPrivileges: Bool {
    privateDevices || !callRestrictions.isEmpty
      || !protections.isDisjoint(with: [.tunables, .modules, .logs, .hostName])
  }

  /// A Boolean value that indicates whether the settings give the unit its own mount namespace
  /// (`exec_needs_mount_namespace`).
  var hasMountNamespace: Bool {
    privateDevices || protectHome != .no || protectSystem != .no || rootSetting != nil
      || !namespaceSettings.isEmpty || !replacedPaths.isEmpty || !readOnlyDirectories.isEmpty
      || !protections.subtracting([.hostName]).isEmpty
      || [readWritePaths, readOnlyPaths, inaccessiblePaths].contains { !$0.isEmpty }
  }

  /// Returns the operations that a setting with an unknown value may prevent.
  static func concern(of key: String) -> Doubt.Concern {
    ["DevicePolicy", "DeviceAllow", "Slice"].contains(key) ? .devices : .anything
  }

  private mutating func replace(_ paths: [String], by setting: String) {
    replacedPaths += paths.map { ReplacedPath(setting: setting, path: $0) }
  }

  /// Determines the setting that closes the device policy, after all settings are known.
  ///
  /// - Parameter implied: The `DeviceAllow=` lines that other settings add, by setting. systemd 252
  ///   and later add them only if another policy exists.
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

  /// Applies the settings that other settings imply, as systemd's `unit_patch_contexts` does.
  ///
  /// Do not call this for settings that systemd reports, because systemd has already applied them.
  mutating func applyImplications(protectsClock: Bool) {
    if isDynamicUser {
      // A dynamic user also implies NoNewPrivileges=, RestrictSUIDSGID=, PrivateTmp= and
      // RemoveIPC=.
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
    // The line is added only to an existing policy. Without one, it would deny every other device.
    if protectsClock, devicePolicy != .auto || !deviceAllow.isEmpty {
      deviceAllow.append(DeviceAllowance(specifier: "char-rtc", access: "r"))
    }
  }
}

/// A command of `ExecStart=` (systemd.service(5)).
struct UnitCommand: Hashable, Sendable {
  /// The privileges with which systemd starts the command, according to its prefix.
  var start: ServiceFacts.Start
  /// The program, as a path or as a name to search for.
  var program: String
}

extension UnitCommand {
  /// Parses the first word of a command, which consists of prefix characters and the program.
  init(parsing word: String) {
    let marks = word.prefix { "@-:+!|".contains($0) }
    program = String(word.dropFirst(marks.count))
    if marks.contains("+") {
      start = .privileged
    } else {
      // The prefix `!!` has no effect if the kernel supports ambient capabilities.
      start = marks.count { $0 == "!" } == 1 ? .asRoot : .restricted
    }
  }
}

/// Determines whether `SystemCallFilter=` permits opening files (systemd.exec(5)).
///
/// The C library opens files with openat(2), so a filter for open(2) has no effect here. An unknown
/// group counts as containing openat(2) if it is denied, and as not containing it if it is allowed.
struct UnitCallFilter {
  private var isAllowList: Bool?
  /// A Boolean value that indicates whether the filter permits openat(2).
  private(set) var mayOpen = true

  /// The groups that contain openat(2).
  private static let openingGroups: Set<Substring> = ["@file-system", "@system-service", "@known"]
  /// The groups that do not contain openat(2).
  private static let otherGroups: Set<Substring> = [
    "@aio", "@basic-io", "@chown", "@clock", "@cpu-emulation", "@debug", "@default", "@io-event",
    "@ipc", "@keyring", "@memlock", "@module", "@mount", "@network-io", "@obsolete", "@pkey",
    "@privileged", "@process", "@raw-io", "@reboot", "@resources", "@sandbox", "@setuid", "@signal",
    "@swap", "@sync", "@timer",
  ]

  /// Creates a filter without any assignment, which permits everything.
  init() {}

  /// Creates the filter that the manager reports, with each group replaced by its calls.
  init(isAllowList: Bool, calls: [String]) {
    let opening = calls.filter { $0 == "openat" || $0.hasPrefix("openat:") }
    mayOpen = isAllowList ? opening.contains("openat") : opening.isEmpty
  }

  /// Applies one assignment.
  ///
  /// The first assignment determines whether the filter is an allow list or a deny list. Each later
  /// one adds calls to the list or removes calls from it.
  mutating func take(_ value: String) {
    guard !value.isEmpty else {
      self = UnitCallFilter()
      return
    }
    let takesAway = value.hasPrefix("~")
    if isAllowList == nil {
      isAllowList = !takesAway
      mayOpen = takesAway
    }
    for word in value.dropFirst(takesAway ? 1 : 0).split(whereSeparator: \.isWhitespace) {
      // After a colon, an entry contains the error that the call returns.
      let name = word.prefix { $0 != ":" }
      if takesAway {
        let isUnknownGroup = name.hasPrefix("@") && !Self.otherGroups.contains(name)
        if isUnknownGroup || name == "openat" { mayOpen = false }
      } else if word == "openat" || Self.openingGroups.contains(word) {
        mayOpen = true
      }
    }
  }
}

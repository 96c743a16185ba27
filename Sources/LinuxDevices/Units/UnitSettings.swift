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

  var boundingSet = CapabilitySet.all
  var ambientSet = CapabilitySet()
  var secureBits: UInt32 = 0
  var noNewPrivileges = false
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
  /// What may restrict the unit and was not read or not understood, one clause each.
  var doubts: [String] = []
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
    /// Whether it is what is there outside.
    var isSame = false
  }

  /// Takes the prefix of one command of `ExecStart=`.
  ///
  /// Of several the one that has the least counts.
  mutating func take(start next: ServiceFacts.Start) {
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
  }

  /// What holds for a command with the prefix `+`: the device policy, and the groups that
  /// systemd has looked up before it leaves everything else out.
  var withoutSandbox: UnitSettings {
    var settings = UnitSettings()
    settings.user = user
    settings.group = group
    settings.isDynamicUser = isDynamicUser
    settings.start = start
    settings.hasSeveralStarts = hasSeveralStarts
    settings.devicePolicy = devicePolicy
    settings.deviceAllow = deviceAllow
    settings.policySetting = policySetting
    settings.slicePolicies = slicePolicies
    settings.compiledAt = compiledAt
    settings.mainProcess = mainProcess
    settings.controlGroup = controlGroup
    settings.problems = problems
    settings.doubts = doubts
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
      addPrivateTemporaryFolders()
    }
    if privateDevices {
      boundingSet.subtract([.makeDeviceNodes, .rawInputOutput])
      if devicePolicy == .auto { devicePolicy = .closed }
    }
    // Only beside another policy: alone it would refuse everything else.
    if protectsClock, devicePolicy != .auto || !deviceAllow.isEmpty {
      deviceAllow.append(DeviceAllowance(specifier: "char-rtc", access: "r"))
    }
  }
}

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

  var user: String?
  var group: String?
  var supplementaryGroups: [String] = []
  var isDynamicUser = false
  /// The number that a dynamic user has now; only a running unit has one.
  var runningUser: UInt32?

  var privateDevices = false
  var devicePolicy = DevicePolicy.auto
  var deviceAllow: [DeviceAllowance] = []

  var protectHome = HomeProtection.no
  var protectSystem = SystemProtection.no
  var readWritePaths: [String] = []
  var readOnlyPaths: [String] = []
  var inaccessiblePaths: [String] = []

  var boundingSet = CapabilitySet.all
  var ambientSet = CapabilitySet()
  var secureBits: UInt32 = 0
  var noNewPrivileges = false
  var privateUsers = false

  /// `RootDirectory=` or `RootImage=`: every path has another meaning.
  var rootSetting: String?
  /// Settings that put something else at a path: the setting, and where.
  var replacedPaths: [ReplacedPath] = []
  /// What was read and not understood, one clause each.
  var problems: [String] = []
  /// Whether a control group above it has a device policy too, and which.
  var policySlice: String?

  /// A path at which a setting puts something that was not observed.
  struct ReplacedPath: Hashable, Sendable {
    var setting: String
    var path: String
  }

  /// `PrivateTmp=` gives the unit folders of its own, which nobody can see before the start.
  mutating func addPrivateTemporaryFolders() {
    let folders = ["/tmp", "/var/tmp"].map { ReplacedPath(setting: "PrivateTmp=", path: $0) }
    replacedPaths += folders.filter { !replacedPaths.contains($0) }
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

/// The facts of a service, or of the slices of a login, beyond those in its access case.
public struct ServiceFacts: Hashable, Sendable, Codable {
  /// How systemd starts the program, from the prefix of `ExecStart=`
  /// (systemd.service(5)).
  public enum Start: String, Hashable, Sendable, Codable, CaseIterable {
    /// No prefix, or `!!`: as the settings specify.
    case restricted
    /// `!`: in the sandbox and as root; the program itself must switch to the user of `User=`.
    case asRoot = "as_root"
    /// `+`: as root and without the sandbox, but with the device policy.
    case privileged
  }

  /// A setting that closes the device policy of a unit (systemd.exec(5),
  /// systemd.resource-control(5)).
  public enum PolicySetting: String, Hashable, Sendable, Codable, CaseIterable {
    /// `PrivateDevices=yes`, which implies `DevicePolicy=closed`.
    case privateDevices = "PrivateDevices=yes"
    /// `DevicePolicy=closed`.
    case closed = "DevicePolicy=closed"
    /// `DevicePolicy=strict`.
    case strict = "DevicePolicy=strict"
    /// `DeviceAllow=` with `DevicePolicy=auto`, where a single line makes the policy closed.
    case list = "DeviceAllow="
    /// `ProtectClock=yes`, which by itself adds such a line (systemd 245 to 251).
    case protectClock = "ProtectClock=yes"
    /// `RootImage=` or `MountImages=`, which by themselves add such lines (before systemd 252).
    case images = "RootImage="
    /// Encrypted credentials, which by themselves add such a line (before systemd 252).
    case credentials = "LoadCredentialEncrypted="
  }

  /// The device policy of one unit: the service itself, or a slice above it.
  public struct Policy: Hashable, Sendable, Codable {
    /// The name of the unit, such as `system.slice`.
    public var unit: String
    /// The resulting device list; `nil` if it could not be evaluated.
    public var list: DeviceCgroup?
    /// The nodes of `DeviceAllow=` whose devices appeared after systemd compiled the policy.
    ///
    /// The running device program does not include them.
    public var missed: [String]
    /// The setting that closes the policy; `nil` if unknown.
    public var setting: PolicySetting?

    /// Creates the policy of one unit.
    public init(
      unit: String, list: DeviceCgroup? = nil, missed: [String] = [],
      setting: PolicySetting? = nil
    ) {
      self.unit = unit
      self.list = list
      self.missed = missed
      self.setting = setting
    }

    private enum CodingKeys: String, CodingKey {
      case unit, list, missed, setting
    }

    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      unit = try values.decode(String.self, forKey: .unit)
      list = try values.decodeIfPresent(DeviceCgroup.self, forKey: .list)
      missed = try values.boundedIfPresent(.missed, limit: 4096) ?? []
      // A newer program may know more settings. The effect of the policy is in the list.
      setting = try values.decodeIfPresent(String.self, forKey: .setting)
        .flatMap(PolicySetting.init(rawValue:))
    }
  }

  /// A mount point that the settings of the service make read-only.
  public struct Protection: Hashable, Sendable, Codable {
    /// The mount point.
    public var at: String
    /// A Boolean value that indicates whether the mount point is also read-only outside the
    /// service.
    public var isReadOnlyOutside: Bool

    /// Creates the protection of a mount point, which by default is writable outside.
    public init(_ at: String, isReadOnlyOutside: Bool = false) {
      self.at = at
      self.isReadOnlyOutside = isReadOnlyOutside
    }

    private enum CodingKeys: String, CodingKey {
      case at
      case isReadOnlyOutside = "read_only_outside"
    }
  }

  /// How systemd starts the program.
  public var start = Start.restricted
  /// A Boolean value that indicates whether the facts are for the running processes, not the next
  /// start.
  public var isRunning = false
  /// The device policies that restrict the subject: the service's own, then its slices'.
  ///
  /// The kernel checks all of them, and each can deny access.
  public var policies: [Policy] = []
  /// The profile of `AppArmorProfile=`.
  public var appArmorProfile: String?
  /// The context of `SELinuxContext=`.
  public var selinuxContext: String?
  /// The directory of `RootDirectory=`, where path resolution starts.
  public var rootDirectory: String?
  /// The mount points that the service's settings make read-only; `nil` if unknown.
  public var protected: [Protection]?

  /// The mount points that the service's settings make read-only, if their effect is known.
  ///
  /// It is known for a service that does not run and uses the root directory of the machine.
  var knownProtections: [Protection]? { isRunning || rootDirectory != nil ? nil : protected }

  /// Creates the facts of a service that does not run and has no restriction.
  public init() {}

  private static let fields: Fields<Self> = [
    .value("start", \.start),
    .value("running", \.isRunning),
    .value("policies", \.policies, limit: 64),
    .optional("apparmor_profile", \.appArmorProfile),
    .optional("selinux_context", \.selinuxContext),
    .optional("root_directory", \.rootDirectory),
    .optional("protected", \.protected, limit: 4096),
  ]

  public init(from decoder: any Decoder) throws {
    self = try Self.fields.decode(Self(), from: decoder)
  }

  public func encode(to encoder: any Encoder) throws { try Self.fields.encode(self, to: encoder) }
}

extension String {
  /// A Boolean value that indicates whether the text is a valid systemd unit name.
  ///
  /// Text in another form could be a pattern for many units, a path or an option. The corresponding
  /// function of systemd is `unit_name_is_valid`.
  package var isUnitName: Bool {
    guard utf8.count <= Self.longestUnitName, utf8.first != UInt8(ascii: "@"),
      let dot = lastIndex(of: "."), dot > startIndex,
      Self.unitSuffixes.contains(String(self[dot...]))
    else { return false }
    return utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: ":-_.\\@".utf8.contains(byte)
      }
    }
  }

  /// The maximum length of a unit name in bytes (`UNIT_NAME_MAX`).
  private static let longestUnitName = 255

  /// The name suffixes of all unit types.
  package static let unitSuffixes = [
    ".service", ".socket", ".device", ".mount", ".automount", ".swap", ".target", ".path", ".timer",
    ".slice", ".scope",
  ]
}

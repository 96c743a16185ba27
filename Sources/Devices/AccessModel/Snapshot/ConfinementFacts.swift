/// The layers around the subject that may deny access beyond what an access case describes.
public struct ConfinementFacts: Hashable, Sendable, Codable {
  /// The detected container or sandbox, such as `docker`, `podman`, `flatpak`, `snap` or `lxc`.
  ///
  /// It is `nil` if none was detected.
  public var container: String?
  /// The active security modules, from `/sys/kernel/security/lsm`; `nil` if it could not be read.
  public var securityModules: [String]?
  /// The names of the loaded BPF programs that act in security hooks (`BPF_PROG_TYPE_LSM`).
  ///
  /// It is `nil` if they are unknown, because only root may list them.
  public var securityPrograms: [String]?
  /// The subject's own label, from `attr/apparmor/current` or `attr/current`.
  public var label: String?
  /// The seccomp mode of the subject: 0 is none, 1 is strict, 2 is filter; `nil` if unknown.
  public var seccompMode: Int?
  /// The cgroup path of the subject in the unified hierarchy.
  public var cgroup: String?
  /// The systemd unit that the subject belongs to.
  public var unit: String?
  /// A Boolean value that indicates whether SELinux enforces its policy
  /// (`/sys/fs/selinux/enforce`).
  ///
  /// It is `nil` if the file is hidden.
  public var selinuxEnforcing: Bool?
  /// The line that concerns the object in the text of the label's profile, with its file.
  ///
  /// It is a hint: the kernel uses the profile that was loaded.
  public var profileRule: String?
  /// The application in a sandbox such as `flatpak` or `snap`; `nil` if it cannot be identified.
  public var application: ApplicationFacts?
  /// The facts about the service, and the device policies of slices; `nil` if the subject has
  /// neither.
  public var service: ServiceFacts?
  /// The release of the running kernel.
  public var kernelRelease: String?
  /// The distribution (`ID=` in os-release(5)), such as `debian`; `nil` in a container or if
  /// unknown.
  public var distribution: String?
  /// A Boolean value that indicates whether the subject can reach systemd as the service manager.
  ///
  /// See sd_booted(3). It is `nil` if that is unknown, as in a sandbox.
  public var hasSystemd: Bool?
  /// A Boolean value that indicates whether the subject sees udev's database.
  ///
  /// It is `nil` outside containers, or if that is unknown.
  public var hasUdevDatabase: Bool?
  /// A Boolean value that indicates whether reading the kernel log requires `CAP_SYSLOG`.
  ///
  /// The setting is `kernel.dmesg_restrict`. It is `nil` if the log is not in question, or if the
  /// setting could not be read.
  public var restrictsKernelLog: Bool?
  /// The kernel's lockdown level, which restricts even root.
  ///
  /// It is `nil` if the level is not in question or could not be read.
  public var lockdown: LockdownLevel?
  /// A Boolean value that indicates whether the process has a controlling terminal (tty(4)).
  ///
  /// It is `nil` if that is not in question or could not be read.
  public var hasTerminal: Bool?
  /// The mount points on the path that only the container or the service has.
  ///
  /// Mounts made below them outside do not propagate into it (mount_namespaces(7)).
  public var privateMounts: [String] = []

  /// Creates facts that neither report nor exclude any confinement.
  public init() {}

  /// The name that systemd-detect-virt(1) prints for WSL, as if it were a container.
  package static let wsl = "wsl"

  /// The systemd service of the subject; `nil` in a session, or if the name cannot be a service.
  ///
  /// In a session, the user manager and the scopes of logind have no device policy.
  package var serviceUnit: String? {
    guard let unit, unit.isUnitName, unit.hasSuffix(".service"), !isOfUserManager else {
      return nil
    }
    return unit
  }

  /// A Boolean value that indicates whether a user's own manager started the subject, whatever the
  /// name of the unit.
  var isOfUserManager: Bool {
    unit?.hasPrefix("user@") == true || container == nil && cgroup?.contains("/user@") == true
  }
}

extension ConfinementFacts {
  private static let fields: Fields<Self> = [
    .optional("container", \.container),
    .optional("security_modules", \.securityModules),
    .optional("security_programs", \.securityPrograms, limit: 4096),
    .optional("label", \.label),
    .optional("seccomp_mode", \.seccompMode),
    .optional("cgroup", \.cgroup),
    .optional("unit", \.unit),
    .optional("service", \.service),
    .optional("selinux_enforcing", \.selinuxEnforcing),
    .optional("profile_rule", \.profileRule),
    .optional("application", \.application),
    .optional("kernel_release", \.kernelRelease),
    .optional("distribution", \.distribution),
    .optional("systemd", \.hasSystemd),
    .optional("udev_database", \.hasUdevDatabase),
    .optional("dmesg_restrict", \.restrictsKernelLog),
    .optional("lockdown", \.lockdown),
    .optional("terminal", \.hasTerminal),
    .value("private_mounts", \.privateMounts, limit: 4096, omitting: []),
  ]

  public init(from decoder: any Decoder) throws {
    self = try Self.fields.decode(Self(), from: decoder)
  }

  public func encode(to encoder: any Encoder) throws { try Self.fields.encode(self, to: encoder) }
}

/// The application that runs in a sandbox, and the permissions that it was given.
public struct ApplicationFacts: Hashable, Sendable, Codable {
  /// The untrusted name of the application: its ID in Flatpak, or the name of its snap.
  public var name: String
  /// The devices that a flatpak may use, such as `dri`, from `devices=` in `/.flatpak-info`.
  public var devices: [String]
  /// The parts of the filesystem that a flatpak may access, such as `xdg-pictures`, from
  /// `filesystems=`.
  public var filesystems: [String]

  /// Creates the facts about an application, by default without any permission.
  public init(name: String, devices: [String] = [], filesystems: [String] = []) {
    self.name = name
    self.devices = devices
    self.filesystems = filesystems
  }

  private enum CodingKeys: String, CodingKey {
    case name, devices, filesystems
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decode(String.self, forKey: .name)
    devices = try values.boundedIfPresent(.devices, limit: 4096) ?? []
    filesystems = try values.boundedIfPresent(.filesystems, limit: 4096) ?? []
  }
}

extension ApplicationFacts {
  /// The device permissions, as a clause that follows "given".
  var deviceWords: String { (devices.isEmpty ? "" : "only ") + Self.words("devices", devices) }

  /// The file permissions, as a clause that follows "given".
  var filesystemWords: String { Self.words("filesystems", filesystems) }

  /// Returns permissions as `/.flatpak-info` contains them, such as `devices=dri`.
  ///
  /// At most six values are listed.
  private static func words(_ key: String, _ values: [String]) -> String {
    guard !values.isEmpty else { return "no \(key)" }
    let rest = values.count > 6 ? " and \(values.count - 6) more" : ""
    return "\(key)=\(values.prefix(6).joined(separator: ";"))\(rest)"
  }
}

/// The degree to which lockdown restricts root, in ascending order (kernel_lockdown(7)).
public enum LockdownLevel: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
  /// The kernel is not locked down.
  case off = "none"
  /// No program can modify the running kernel, as with Secure Boot.
  case integrity
  /// In addition, no program can read confidential data of the kernel.
  case confidentiality

  /// Creates the level that `/sys/kernel/security/lockdown` shows in brackets; `nil` for any other
  /// text.
  package init?(marked text: String) {
    guard let level = Self.allCases.first(where: { text.contains("[\($0.rawValue)]") }) else {
      return nil
    }
    self = level
  }

  public static func < (left: Self, right: Self) -> Bool {
    left != right && (left == .off || right == .confidentiality)
  }
}

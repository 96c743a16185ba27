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

  /// The systemd service of the subject; `nil` in a session, or if the name cannot be a service.
  ///
  /// In a session, the user manager and the scopes of logind have no device policy.
  package var serviceUnit: String? {
    guard let unit, unit.isUnitName, unit.hasSuffix(".service"), !unit.hasPrefix("user@") else {
      return nil
    }
    return unit
  }
}

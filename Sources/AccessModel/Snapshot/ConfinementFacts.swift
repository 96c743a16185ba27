/// The layers around the subject that may deny beyond what a case can hold.
public struct ConfinementFacts: Hashable, Sendable, Codable {
  /// The container or sandbox that was detected, such as `docker`, `podman`, `flatpak`, `snap`,
  /// `lxc`; `nil` when nothing points to one.
  public var container: String?
  /// The active security modules, from `/sys/kernel/security/lsm`; `nil` when it was unreadable.
  public var securityModules: [String]?
  /// The names of the loaded BPF programs that act in security hooks (`BPF_PROG_TYPE_LSM`); `nil` when
  /// they are unknown, since only root may list them.
  public var securityPrograms: [String]?
  /// The subject's own label, from `attr/apparmor/current` or `attr/current`.
  public var label: String?
  /// The seccomp mode of the subject: 0 none, 1 strict, 2 filter; `nil` when unknown.
  public var seccompMode: Int?
  /// The cgroup path of the subject in the unified hierarchy.
  public var cgroup: String?
  /// The systemd unit that the subject belongs to.
  public var unit: String?
  /// Whether SELinux enforces its policy (`/sys/fs/selinux/enforce`); `nil` when that is hidden.
  public var selinuxEnforcing: Bool?
  /// What the text of the label's profile says about the object, as its file and a line of it.
  ///
  /// A hint: the kernel goes by the profile that was loaded.
  public var profileRule: String?
  /// The application in a sandbox such as `flatpak` or `snap`; `nil` when nothing names it.
  public var application: ApplicationFacts?
  /// What is known of the service, and of the device policies of slices; `nil` for a subject that has
  /// neither.
  public var service: ServiceFacts?
  /// The release of the running kernel.
  public var kernelRelease: String?
  /// The distribution, by `ID=` of os-release(5), such as `debian`; `nil` in a container, and when it is
  /// unknown.
  public var distribution: String?
  /// Whether systemd is the service manager that the subject can reach (sd_booted(3)); `nil` when
  /// that is unknown, as in a sandbox.
  public var hasSystemd: Bool?
  /// Whether the subject sees udev's database; `nil` outside of containers, and where it is unknown.
  public var hasUdevDatabase: Bool?
  /// Whether reading the kernel's log takes `CAP_SYSLOG` (`kernel.dmesg_restrict`); `nil` where the
  /// log is not in question, and where that could not be read.
  public var restrictsKernelLog: Bool?
  /// How far the kernel keeps root from itself; `nil` where that is not in question, and where it
  /// could not be read.
  public var lockdown: LockdownLevel?
  /// Whether the process has a controlling terminal (tty(4)); `nil` where that is not in question, and
  /// where it could not be read.
  public var hasTerminal: Bool?
  /// The mount points on the way that a container or a service has to itself: what is mounted
  /// below them outside does not come in (mount_namespaces(7)).
  public var privateMounts: [String] = []

  /// Creates facts that know of no confinement, and of none that is absent.
  public init() {}

  /// The systemd service of the subject; `nil` in a session, where the user manager and the
  /// scopes of logind have no device policy, and for a name that no service can have.
  package var serviceUnit: String? {
    guard let unit, unit.isUnitName, unit.hasSuffix(".service"), !unit.hasPrefix("user@") else {
      return nil
    }
    return unit
  }
}

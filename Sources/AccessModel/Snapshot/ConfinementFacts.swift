/// The layers around the subject that may deny beyond what a case can hold.
public struct ConfinementFacts: Hashable, Sendable, Codable {
  /// The container or sandbox that was detected, such as `docker`, `podman`, `flatpak`, `snap`,
  /// `lxc`; `nil` when nothing points to one.
  public var container: String?
  /// The active security modules, from `/sys/kernel/security/lsm`; `nil` when it was unreadable.
  public var securityModules: [String]?
  /// The subject's own label, from `/proc/thread-self/attr/current`.
  public var label: String?
  /// The seccomp mode of the subject: 0 none, 1 strict, 2 filter; `nil` when unknown.
  public var seccompMode: Int?
  /// The cgroup path of the subject in the unified hierarchy.
  public var cgroup: String?
  /// The systemd unit that the subject belongs to.
  public var unit: String?
  /// What is known of the service; `nil` for a subject that is none.
  public var service: ServiceFacts?
  /// The release of the running kernel.
  public var kernelRelease: String?

  public init() {}
}

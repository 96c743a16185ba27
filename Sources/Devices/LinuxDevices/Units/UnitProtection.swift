internal import AccessModel

/// A setting that protects kernel interfaces from a unit (systemd.exec(5)).
///
/// The paths are those in systemd's src/core/namespace.c.
enum UnitProtection: String, CaseIterable, Sendable {
  case tunables = "ProtectKernelTunables"
  case modules = "ProtectKernelModules"
  case logs = "ProtectKernelLogs"
  case controlGroups = "ProtectControlGroups"
  case hostName = "ProtectHostname"

  /// The setting as it appears in messages.
  var setting: String { "\(rawValue)=" }

  /// The effects of the setting on paths, which may be missing.
  var rules: [(path: String, effect: UnitPathRule.Effect)] {
    switch self {
    case .tunables:
      [
        "/proc/acpi", "/proc/apm", "/proc/asound", "/proc/bus", "/proc/fs", "/proc/irq",
        "/proc/latency_stats", "/proc/mtrr", "/proc/scsi", "/proc/sys", "/proc/sysrq-trigger",
        "/proc/timer_stats", "/sys", "/sys/fs/bpf", "/sys/kernel/debug", "/sys/kernel/tracing",
      ].map { ($0, .readOnly) } + ["/proc/kallsyms", "/proc/kcore"].map { ($0, .hidden) }
        + ["/sys/fs/cgroup", "/sys/fs/selinux"].map { ($0, .readWrite) }
    case .modules: [("/lib/modules", .hidden), ("/usr/lib/modules", .hidden)]
    case .logs: [("/proc/kmsg", .hidden), ("/dev/kmsg", .hidden)]
    case .controlGroups: [("/sys/fs/cgroup", .readOnly)]
    case .hostName:
      ["/proc/sys/kernel/hostname", "/proc/sys/kernel/domainname"].map { ($0, .readOnly) }
    }
  }

  /// The capabilities that the setting removes from the bounding set.
  var lostCapabilities: CapabilitySet {
    switch self {
    case .modules: CapabilitySet(["sys_module"].compactMap(Capability.init(name:)))
    case .logs: CapabilitySet(["syslog"].compactMap(Capability.init(name:)))
    case .tunables, .controlGroups, .hostName: []
    }
  }
}

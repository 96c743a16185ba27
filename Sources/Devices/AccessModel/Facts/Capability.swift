/// A capability, numbered as in `linux/capability.h`.
///
/// See capabilities(7).
public struct Capability: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8

  /// Creates a capability from its number; `nil` if the number is 64 or greater.
  public init?(rawValue: UInt8) {
    guard rawValue < 64 else { return nil }
    self.rawValue = rawValue
  }

  private init(_ number: UInt8) {
    rawValue = number
  }

  /// The C constant is `CAP_CHOWN`.
  public static let changeOwner = Capability(0)
  /// The C constant is `CAP_DAC_OVERRIDE`.
  public static let overrideFileAccess = Capability(1)
  /// The C constant is `CAP_DAC_READ_SEARCH`.
  public static let readAndSearch = Capability(2)
  /// The C constant is `CAP_FOWNER`.
  public static let actAsFileOwner = Capability(3)
  /// The C constant is `CAP_SETGID`.
  public static let setGroups = Capability(6)
  /// The C constant is `CAP_SETUID`.
  public static let setUsers = Capability(7)
  /// The C constant is `CAP_NET_ADMIN`.
  public static let administerNetwork = Capability(12)
  /// The C constant is `CAP_SYS_RAWIO`.
  public static let rawInputOutput = Capability(17)
  /// The C constant is `CAP_SYS_PTRACE`.
  public static let traceProcesses = Capability(19)
  /// The C constant is `CAP_SYS_ADMIN`.
  public static let administerSystem = Capability(21)
  /// The C constant is `CAP_MKNOD`.
  public static let makeDeviceNodes = Capability(27)
  /// The C constant is `CAP_SYSLOG`.
  public static let readKernelLog = Capability(34)

  /// The kernel's names by number, in lower case and without `CAP_`.
  static let names = [
    "chown", "dac_override", "dac_read_search", "fowner", "fsetid", "kill", "setgid", "setuid",
    "setpcap", "linux_immutable", "net_bind_service", "net_broadcast", "net_admin", "net_raw",
    "ipc_lock", "ipc_owner", "sys_module", "sys_rawio", "sys_chroot", "sys_ptrace", "sys_pacct",
    "sys_admin", "sys_boot", "sys_nice", "sys_resource", "sys_time", "sys_tty_config", "mknod",
    "lease", "audit_write", "audit_control", "setfcap", "mac_override", "mac_admin", "syslog",
    "wake_alarm", "block_suspend", "audit_read", "perfmon", "bpf", "checkpoint_restore",
  ]

  /// The kernel's name in lower case without `CAP_`, or the number if the name is not known.
  public var name: String {
    Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : String(rawValue)
  }

  /// The name of the C constant, such as `CAP_SYS_ADMIN`.
  var constant: String { "CAP_" + name.uppercased() }

  /// Creates a capability from a name, with or without `CAP_` and in any case, or from a number.
  public init?(name: String) {
    var word = name.lowercased()
    if word.hasPrefix("cap_") { word.removeFirst(4) }
    if let index = Self.names.firstIndex(of: word) {
      self.init(UInt8(index))
    } else if let number = UInt8(word) {
      self.init(rawValue: number)
    } else {
      return nil
    }
  }
}

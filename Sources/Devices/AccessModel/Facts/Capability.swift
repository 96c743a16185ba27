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

/// A set of capabilities, stored as the bit mask that `/proc/PID/status` shows.
public struct CapabilitySet: Hashable, Sendable, SetAlgebra {
  public typealias Element = Capability

  /// The bit mask, in which bit *n* represents capability number *n*.
  public var bits: UInt64

  public init() {
    bits = 0
  }

  /// Creates a set from a bit mask, such as the value that `CapEff` shows in hexadecimal.
  public init(bits: UInt64) {
    self.bits = bits
  }

  /// All capabilities that this package knows by name.
  public static let all = CapabilitySet(bits: (1 << UInt64(Capability.names.count)) - 1)

  public func contains(_ member: Capability) -> Bool {
    bits & (1 << UInt64(member.rawValue)) != 0
  }

  public mutating func insert(
    _ member: Capability
  ) -> (inserted: Bool, memberAfterInsert: Capability) {
    let had = contains(member)
    bits |= 1 << UInt64(member.rawValue)
    return (!had, member)
  }

  public mutating func remove(_ member: Capability) -> Capability? {
    guard contains(member) else { return nil }
    bits &= ~(1 << UInt64(member.rawValue))
    return member
  }

  public mutating func update(with member: Capability) -> Capability? {
    insert(member).inserted ? nil : member
  }

  public func union(_ other: CapabilitySet) -> CapabilitySet {
    CapabilitySet(bits: bits | other.bits)
  }

  public func intersection(_ other: CapabilitySet) -> CapabilitySet {
    CapabilitySet(bits: bits & other.bits)
  }

  public func symmetricDifference(_ other: CapabilitySet) -> CapabilitySet {
    CapabilitySet(bits: bits ^ other.bits)
  }

  public mutating func formUnion(_ other: CapabilitySet) {
    bits |= other.bits
  }

  public mutating func formIntersection(_ other: CapabilitySet) {
    bits &= other.bits
  }

  public mutating func formSymmetricDifference(_ other: CapabilitySet) {
    bits ^= other.bits
  }

  /// The capabilities in the set, in ascending order of their numbers.
  public var members: [Capability] {
    (0..<64).compactMap { number in
      Capability(rawValue: UInt8(number)).flatMap { contains($0) ? $0 : nil }
    }
  }
}

/// An array of capability names in lower case without `CAP_`; an unnamed capability is a number.
extension CapabilitySet: Codable {
  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    self.init()
    while !list.isAtEnd {
      // Try a name first: most elements are names, and a failed attempt to decode is slow.
      guard let name = try? list.decode(String.self) else {
        try insert(number: list.decode(UInt8.self), of: list)
        continue
      }
      guard let number = Self.numbers[name] else {
        throw DecodingError.dataCorruptedError(
          in: list, debugDescription: "unknown capability \(name.prefix(64))")
      }
      bits |= 1 << UInt64(number)
    }
  }

  private static let numbers = Dictionary(
    uniqueKeysWithValues: Capability.names.enumerated().map { ($1, $0) })

  private mutating func insert(number: UInt8, of list: any UnkeyedDecodingContainer) throws {
    let named = Capability.names.count
    guard let capability = Capability(rawValue: number), Int(number) >= named else {
      throw DecodingError.dataCorruptedError(
        in: list, debugDescription: "a capability below \(named) is written by its name")
    }
    bits |= 1 << UInt64(capability.rawValue)
  }

  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for capability in members {
      if Int(capability.rawValue) < Capability.names.count {
        try list.encode(capability.name)
      } else {
        try list.encode(capability.rawValue)
      }
    }
  }
}

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

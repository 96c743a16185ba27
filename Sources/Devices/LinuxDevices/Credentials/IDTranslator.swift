internal import AccessModel

/// Translates IDs from the observer's user namespace to the surrounding namespace.
///
/// The kernel reports IDs in the numbering of the observer's user namespace. It reports an unmapped
/// ID as the overflow ID (`kernel.overflowuid`, 65534), or as 4294967295 in an ACL.
struct IDTranslator: Sendable {
  /// The ID maps of the observer's namespace; `nil` if it is the initial namespace.
  var namespace: IDMapping?
  var overflowUser: UInt32 = 65534
  var overflowGroup: UInt32 = 65534
  /// A Boolean value that indicates whether an ID was the overflow ID, which may stand for any ID.
  private(set) var metOverflow = false

  init(namespace: IDMapping?) {
    self.namespace = namespace
  }

  mutating func user(_ id: UInt32) -> UInt32 {
    translate(id, namespace?.users, overflow: overflowUser)
  }

  mutating func group(_ id: UInt32) -> UInt32 {
    translate(id, namespace?.groups, overflow: overflowGroup)
  }

  private mutating func translate(_ id: UInt32, _ map: IDMap?, overflow: UInt32) -> UInt32 {
    guard let map, !map.isIdentity, id != .max else { return id }
    // Even if the map covers the overflow ID, it may stand for an unmapped ID.
    if id == overflow {
      metOverflow = true
      return id
    }
    return map.outside(id) ?? id
  }
}

extension IDTranslator {
  /// Returns the ID of a user in the observer's namespace; `nil` if it is not mapped there.
  func insideUser(_ id: UInt32) -> UInt32? {
    Self.inside(id, namespace?.users)
  }

  /// The ID that the root user of the observer's namespace has outside of it.
  var outsideRoot: UInt32 { namespace.flatMap { $0.users.outside(0) } ?? 0 }

  /// Returns the ID of a group in the observer's namespace; `nil` if it is not mapped there.
  func insideGroup(_ id: UInt32) -> UInt32? {
    Self.inside(id, namespace?.groups)
  }

  private static func inside(_ id: UInt32, _ map: IDMap?) -> UInt32? {
    guard id != .max else { return nil }
    guard let map, !map.isIdentity else { return id }
    for range in map.ranges where id >= range.outside && id - range.outside < range.length {
      return range.inside &+ (id - range.outside)
    }
    return nil
  }
}

extension IDMap {
  /// Parses `/proc/PID/uid_map` or `gid_map` (user_namespaces(7)); `nil` if a line is malformed.
  init?(parsing bytes: [UInt8]) {
    var ranges: [Range] = []
    for line in ByteScanner.split(bytes[...], at: ByteScanner.newline) {
      let words = ByteScanner.words(line)
      if words.isEmpty { continue }
      let numbers = words.compactMap(ByteScanner.number)
      // The kernel accepts at most 340 lines, and no range that overflows.
      guard words.count == 3, numbers.count == 3, numbers[2] > 0, ranges.count < 340,
        !numbers[0].addingReportingOverflow(numbers[2]).overflow,
        !numbers[1].addingReportingOverflow(numbers[2]).overflow
      else { return nil }
      ranges.append(Range(inside: numbers[0], outside: numbers[1], length: numbers[2]))
    }
    self.init(ranges)
  }

  /// A Boolean value that indicates whether every ID maps to itself, as in the initial namespace.
  var isIdentity: Bool {
    ranges == [Range(inside: 0, outside: 0, length: .max)]
  }
}

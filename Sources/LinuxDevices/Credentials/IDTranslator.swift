internal import AccessModel

/// Turns identifiers as the observer sees them into those of the namespace around it.
///
/// The kernel shows identifiers in the numbering of the observer's user namespace, and every
/// one that it does not map as the overflow identifier (`kernel.overflowuid`, 65534); in access
/// control lists as 4294967295.
struct IDTranslator: Sendable {
  /// The maps of the observer's namespace; `nil` when it is the initial one.
  var namespace: IDMapping?
  var overflowUser: UInt32 = 65534
  var overflowGroup: UInt32 = 65534
  /// Whether some identifier read as the overflow identifier, so that it could be any.
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
    // Even when the map covers it: the kernel shows every unmapped identifier as this one.
    if id == overflow {
      metOverflow = true
      return id
    }
    return map.outside(id) ?? id
  }
}

extension IDTranslator {
  /// The observer's own number of a user; `nil` when its namespace has none.
  func insideUser(_ id: UInt32) -> UInt32? {
    Self.inside(id, namespace?.users)
  }

  /// Root of the observer's own namespace.
  var outsideRoot: UInt32 { namespace.flatMap { $0.users.outside(0) } ?? 0 }

  /// The observer's own number of a group; `nil` when its namespace has none.
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

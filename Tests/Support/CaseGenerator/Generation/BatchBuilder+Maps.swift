internal import AccessModel

extension BatchBuilder {
  /// The highest ID that a map can contain; the next number means that there is no ID.
  static let lastID: UInt32 = 4_294_967_294

  /// Creates a map between IDs that the kernel accepts: no ranges overlap on either side.
  mutating func makeMap(inside: [UInt32], outside: [UInt32], mayBeEmpty: Bool) -> IDMap {
    let everything = IDMap([IDMap.Range(inside: 0, outside: 0, length: 4_294_967_295)])
    let shifted = IDMap([IDMap.Range(inside: 0, outside: 100_000, length: 65536)])
    var map: IDMap
    switch random.below(12) {
    case 0: map = mayBeEmpty ? IDMap([]) : everything
    case 1, 2: map = everything
    case 3: map = shifted
    case 4: map = IDMap([IDMap.Range(inside: 0, outside: random.pick(outside), length: 1)])
    case 5: map = IDMap([IDMap.Range(inside: 0, outside: 0, length: 65536)])
    case 6, 7:
      // Map some IDs to themselves.
      map = IDMap([])
      for id in outside where random.chance(60) { add(inside: id, outside: id, to: &map) }
    case 8:
      // Use more ranges than the kernel searches linearly.
      map = IDMap([])
      let count = random.number(6...12)
      let candidates = random.shuffled(outside + Self.allUsers + Self.allGroups)
      for (number, id) in candidates.prefix(count).enumerated() {
        add(inside: UInt32(number) * 3, outside: id, to: &map)
      }
    default:
      map = IDMap([])
      for id in random.shuffled(outside) where random.chance(65) {
        add(inside: random.chance(25) ? 0 : random.pick(inside), outside: id, to: &map)
      }
    }
    if map.ranges.isEmpty && !mayBeEmpty {
      add(inside: random.pick(inside), outside: random.pick(outside), to: &map)
    }
    return map
  }

  /// Adds a short range unless it overlaps another one.
  private mutating func add(inside: UInt32, outside: UInt32, to map: inout IDMap) {
    let wanted: UInt32 = random.chance(70) ? 1 : UInt32(random.number(2...4))
    let room = min(Self.lastID - inside, Self.lastID - outside)
    let length = min(wanted, room + 1)
    let meets = map.ranges.contains { range in
      Self.overlap(range.inside, range.length, inside, length)
        || Self.overlap(range.outside, range.length, outside, length)
    }
    if !meets {
      map.ranges.append(IDMap.Range(inside: inside, outside: outside, length: length))
    }
  }

  private static func overlap(
    _ first: UInt32, _ firstLength: UInt32, _ second: UInt32, _ secondLength: UInt32
  ) -> Bool {
    UInt64(first) < UInt64(second) + UInt64(secondLength)
      && UInt64(second) < UInt64(first) + UInt64(firstLength)
  }

  /// Creates the user namespaces in which the subjects of the batch may be.
  mutating func makeNamespaces() -> [IDMapping] {
    var namespaces: [IDMapping] = []
    for _ in 0..<random.number(1...3) {
      namespaces.append(
        IDMapping(
          users: makeMap(
            inside: users + [0, 0, 1000], outside: users + idmapped(\.users), mayBeEmpty: true),
          groups: makeMap(
            inside: groups + [0, 0, 1000], outside: groups + idmapped(\.groups), mayBeEmpty: true)
        ))
    }
    return namespaces
  }

  /// Returns the IDs that owners have when seen through the ID-mapped mounts of the batch.
  func idmapped(_ side: KeyPath<IDMapping, IDMap>) -> [UInt32] {
    mounts.compactMap { $0.idmap }.flatMap { $0[keyPath: side].ranges.map(\.outside) }
  }
}

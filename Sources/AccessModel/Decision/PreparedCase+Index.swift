extension PreparedCase {
  private static let slash = UInt8(ascii: "/")

  /// Copies what has a fixed size, and the bytes of all names.
  mutating func prepareNodes() {
    var byteCount = 0
    for node in access.nodes { byteCount += node.path.utf8.count }
    bytes.reserveCapacity(byteCount)
    nodes.reserveCapacity(access.nodes.count)
    for node in access.nodes {
      let pathStart = bytes.count
      bytes.append(contentsOf: node.path.utf8)
      var nameStart = bytes.count
      while nameStart > pathStart && bytes[nameStart - 1] != Self.slash { nameStart -= 1 }
      var marks: PreparedNode.Marks = []
      for flag in node.flags {
        switch flag {
        case .immutable: marks.insert(.immutable)
        case .append: marks.insert(.append)
        }
      }
      for element in node.unobserved {
        switch element {
        case .status: marks.insert(.statusUnobserved)
        case .acl: marks.insert(.aclUnobserved)
        case .flags:
          // What was not observed has no value, whatever the node says.
          marks.insert(.flagsUnobserved)
          marks.subtract([.immutable, .append])
        case .contents: marks.insert(.contentsUnobserved)
        case .target: marks.insert(.targetUnobserved)
        }
      }
      var prepared = PreparedNode(
        type: node.type, mode: node.mode, marks: marks, uid: node.uid, gid: node.gid,
        pathStart: Int32(clamping: pathStart), pathCount: Int32(clamping: bytes.count - pathStart),
        nameStart: Int32(clamping: nameStart))
      if let target = node.target {
        prepared.targetStart = Int32(clamping: bytes.count)
        bytes.append(contentsOf: target.utf8)
        prepared.targetCount = Int32(clamping: bytes.count) - prepared.targetStart
      }
      if let number = node.rdev {
        prepared.major = number.major
        prepared.minor = number.minor
      }
      nodes.append(prepared)
    }
  }

  /// The indexes of the nodes so that each directory comes directly before all that is below it.
  func orderedNodes() -> [Int32] {
    var order = [Int32](0..<Int32(clamping: nodes.count))
    let isOrdered = zip(order, order.dropFirst()).allSatisfy { comesBefore($0, $1) }
    if !isOrdered { order.sort(by: comesBefore) }
    return order
  }

  private func comesBefore(_ left: Int32, _ right: Int32) -> Bool {
    let (a, b) = (nodes[Int(left)], nodes[Int(right)])
    let count = Int(min(a.pathCount, b.pathCount))
    for offset in 0..<count {
      let x = bytes[Int(a.pathStart) + offset]
      let y = bytes[Int(b.pathStart) + offset]
      // A slash sorts before every other byte, so that no sibling comes between.
      if x != y { return y != Self.slash && (x == Self.slash || x < y) }
    }
    if a.pathCount != b.pathCount { return a.pathCount < b.pathCount }
    return left < right
  }

  /// Finds the parent of each node and lists the children of each.
  mutating func link(_ order: [Int32]) {
    var previous: Int32 = -1
    for index in order {
      let node = nodes[Int(index)]
      if node.pathCount == 1 && bytes[Int(node.pathStart)] == Self.slash {
        if root < 0 { root = index } else { nodes[Int(index)].marks.insert(.unreachable) }
        previous = root
        continue
      }
      var parent = previous
      while parent >= 0 && !isAncestor(parent, of: node) { parent = nodes[Int(parent)].parent }
      nodes[Int(index)].parent = parent
      if previous >= 0 && isSamePath(previous, index) || !isDirectParent(parent, of: node) {
        nodes[Int(index)].marks.insert(.unreachable)
      } else {
        nodes[Int(parent)].childCount += 1
      }
      previous = index
    }
    var next: Int32 = 0
    for index in nodes.indices {
      nodes[index].firstChild = next
      next += nodes[index].childCount
      nodes[index].childCount = 0
    }
    children = [Int32](repeating: 0, count: Int(next))
    for index in order where index != root {
      let node = nodes[Int(index)]
      guard !node.marks.contains(.unreachable) else { continue }
      let parent = nodes[Int(node.parent)]
      children[Int(parent.firstChild + parent.childCount)] = index
      nodes[Int(node.parent)].childCount += 1
    }
  }

  private func isSamePath(_ left: Int32, _ right: Int32) -> Bool {
    let (a, b) = (nodes[Int(left)], nodes[Int(right)])
    guard a.pathCount == b.pathCount else { return false }
    return (0..<Int(a.pathCount)).allSatisfy {
      bytes[Int(a.pathStart) + $0] == bytes[Int(b.pathStart) + $0]
    }
  }

  private func isAncestor(_ ancestor: Int32, of node: PreparedNode) -> Bool {
    if ancestor == root { return true }
    let above = nodes[Int(ancestor)]
    guard above.pathCount < node.pathCount,
      bytes[Int(node.pathStart + above.pathCount)] == Self.slash
    else { return false }
    return (0..<Int(above.pathCount)).allSatisfy {
      bytes[Int(above.pathStart) + $0] == bytes[Int(node.pathStart) + $0]
    }
  }

  private func isDirectParent(_ parent: Int32, of node: PreparedNode) -> Bool {
    guard parent >= 0 else { return false }
    let expected = parent == root ? 1 : nodes[Int(parent)].pathCount + 1
    return node.nameStart - node.pathStart == expected
  }

  /// Finds the mount that each node is on.
  mutating func prepareMounts(_ order: [Int32]) {
    mounts.reserveCapacity(access.mounts.count + 1)
    for mount in access.mounts { mounts.append(PreparedMount(mount)) }
    mounts.append(.unknown)
    for (index, mount) in access.mounts.enumerated() {
      // A later mount covers an earlier one at the same place.
      if let node = node(at: mount.at) { nodes[Int(node)].mount = Int32(clamping: index) }
    }
    if root >= 0 && nodes[Int(root)].mount < 0 {
      nodes[Int(root)].mount = Int32(clamping: mounts.count - 1)
    }
    for index in order where nodes[Int(index)].mount < 0 {
      let parent = nodes[Int(index)].parent
      nodes[Int(index)].mount =
        parent >= 0 ? nodes[Int(parent)].mount : Int32(clamping: mounts.count - 1)
    }
  }

  /// The node of a canonical path.
  func node(at path: String) -> Int32? {
    guard root >= 0 else { return nil }
    let span = path.utf8Span.span
    var current = root
    var start = 0
    while start < span.count {
      if span[start] == Self.slash {
        start += 1
        continue
      }
      var end = start
      while end < span.count && span[end] != Self.slash { end += 1 }
      current = child(of: current, named: span.extracting(start..<end))
      guard current >= 0 else { return nil }
      start = end
    }
    return current
  }

  /// The node of a name in a directory, or -1.
  func child(of directory: Int32, named name: Span<UInt8>) -> Int32 {
    var low = Int(nodes[Int(directory)].firstChild)
    var high = low + Int(nodes[Int(directory)].childCount)
    while low < high {
      let middle = (low + high) / 2
      let candidate = children[middle]
      let order = compare(candidate, name)
      if order == 0 { return candidate }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return -1
  }

  private func compare(_ index: Int32, _ name: Span<UInt8>) -> Int {
    let start = Int(nodes[Int(index)].nameStart)
    let count = Int(nodes[Int(index)].pathStart + nodes[Int(index)].pathCount) - start
    for offset in 0..<min(count, name.count) {
      let difference = Int(bytes[start + offset]) - Int(name[offset])
      if difference != 0 { return difference }
    }
    return count - name.count
  }

  /// Translates every id through its mount, and asks which the subject's namespace maps.
  mutating func prepareIDs() {
    for index in nodes.indices {
      let number = Int(nodes[index].mount)
      let isMountKnown = number < access.mounts.count
      if mounts[number].marks.contains(.idmapUnobserved) {
        nodes[index].marks.insert(.idsUnknown)
      }
      if isMountKnown && access.mounts[number].idmap != nil {
        let node = nodes[index]
        nodes[index].uid = access.mounts[number].userSeen(node.uid) ?? PreparedNode.invalidID
        nodes[index].gid = access.mounts[number].groupSeen(node.gid) ?? PreparedNode.invalidID
      }
      let node = nodes[index]
      let namespace = access.subject.userNamespace
      nodes[index].isOwnerMapped = isMapped(node.uid, by: namespace?.users, on: node)
      nodes[index].isGroupMapped = isMapped(node.gid, by: namespace?.groups, on: node)
      if let list = access.nodes[index].acl, !node.marks.contains(.aclUnobserved) {
        nodes[index].marks.insert(.hasACL)
        nodes[index].firstEntry = Int32(clamping: entries.count)
        nodes[index].entryCount = Int32(clamping: list.count)
        let mount = isMountKnown ? access.mounts[number] : nil
        for entry in list { entries.append(PreparedACLEntry(entry, mount: mount)) }
      }
    }
  }

  private func isMapped(_ id: UInt32, by map: IDMap?, on node: PreparedNode) -> Truth {
    if node.marks.contains(.idsUnknown) { return .maybe }
    if id == PreparedNode.invalidID { return .no }
    if subject.isNamespaceUnknown { return .maybe }
    if subject.hasOverflowIDs && id == PreparedSubject.overflowID { return .maybe }
    guard let map else { return .yes }
    return Truth(map.inside(id) != nil)
  }
}

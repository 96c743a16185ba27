extension PreparedCase {
  private static let slash = UInt8(ascii: "/")

  /// Copies the fixed-size properties of each node and the bytes of its path and target.
  mutating func prepareNodes() {
    let list = access.nodes
    var byteCount = 0
    var entryCount = 0
    for index in list.indices {
      byteCount += list[index].path.utf8.count + (list[index].target?.utf8.count ?? 0)
      entryCount += list[index].acl?.count ?? 0
    }
    bytes.reserveCapacity(byteCount)
    entries.reserveCapacity(entryCount)
    nodes.reserveCapacity(list.count)
    // Access by index, because copying whole nodes would be the greater part of the cost.
    for index in list.indices {
      let pathStart = bytes.count
      bytes.append(contentsOf: list[index].path.utf8)
      var nameStart = bytes.count
      while nameStart > pathStart && bytes[nameStart - 1] != Self.slash { nameStart -= 1 }
      var marks: PreparedNode.Marks = []
      if !list[index].flags.isEmpty { marks.insert(flags: list[index].flags) }
      if !list[index].unobserved.isEmpty { marks.insert(unobserved: list[index].unobserved) }
      var prepared = PreparedNode(
        type: list[index].type, mode: list[index].mode, marks: marks, uid: list[index].uid,
        gid: list[index].gid, pathStart: Int32(clamping: pathStart),
        pathCount: Int32(clamping: bytes.count - pathStart),
        nameStart: Int32(clamping: nameStart))
      if let target = list[index].target {
        prepared.targetStart = Int32(clamping: bytes.count)
        bytes.append(contentsOf: target.utf8)
        prepared.targetCount = Int32(clamping: bytes.count) - prepared.targetStart
      }
      if let number = list[index].rdev {
        prepared.major = number.major
        prepared.minor = number.minor
      }
      if let acl = list[index].acl, !marks.contains(.aclUnobserved) {
        prepared.marks.insert(.hasACL)
        prepared.firstEntry = Int32(clamping: entries.count)
        prepared.entryCount = Int32(clamping: acl.count)
        for entry in acl { entries.append(PreparedACLEntry(entry)) }
      }
      nodes.append(prepared)
    }
  }

  /// Returns the indexes of the nodes in an order that places each directory directly before its
  /// descendants.
  func orderedNodes() -> [Int32] {
    var order = [Int32](0..<Int32(clamping: nodes.count))
    var index: Int32 = 1
    while index < order.count && comesBefore(index - 1, index) { index += 1 }
    if index < order.count { order.sort(by: comesBefore) }
    return order
  }

  private func comesBefore(_ left: Int32, _ right: Int32) -> Bool {
    let (a, b) = (nodes[Int(left)], nodes[Int(right)])
    let count = Int(min(a.pathCount, b.pathCount))
    for offset in 0..<count {
      let x = bytes[Int(a.pathStart) + offset]
      let y = bytes[Int(b.pathStart) + offset]
      // A slash sorts before every other byte. Otherwise, a sibling could separate a directory and
      // its contents.
      if x != y { return y != Self.slash && (x == Self.slash || x < y) }
    }
    if a.pathCount != b.pathCount { return a.pathCount < b.pathCount }
    return left < right
  }

  /// Finds the parent and the children of each node.
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

  /// Determines the mount of each node.
  mutating func prepareMounts(_ order: [Int32]) {
    let list = access.mounts
    mounts.reserveCapacity(list.count + 1)
    for index in list.indices {
      mounts.append(PreparedMount(list[index]))
      // A later mount covers an earlier one at the same mount point.
      if let node = node(at: list[index].at) { nodes[Int(node)].mount = Int32(clamping: index) }
    }
    mounts.append(.unknown)
    if root >= 0 && nodes[Int(root)].mount < 0 {
      nodes[Int(root)].mount = Int32(clamping: mounts.count - 1)
    }
    for index in order where nodes[Int(index)].mount < 0 {
      let parent = nodes[Int(index)].parent
      nodes[Int(index)].mount =
        parent >= 0 ? nodes[Int(parent)].mount : Int32(clamping: mounts.count - 1)
    }
  }

  /// Returns the node at a canonical path; `nil` if it is not listed.
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

  /// Returns the node with the given name in a directory, or -1.
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

  /// Translates every ID through the node's mount.
  mutating func translateIDs() {
    for index in nodes.indices {
      let number = Int(nodes[index].mount)
      if mounts[number].marks.contains(.idmapUnobserved) {
        nodes[index].marks.insert(.idsUnknown)
      } else if mounts[number].marks.contains(.hasIDMap) {
        translate(index, through: access.mounts[number])
      }
    }
  }

  /// Determines which owners and groups the subject's user namespace maps.
  mutating func mapIDs() {
    let namespace = access.subject.userNamespace
    for index in nodes.indices {
      let node = nodes[index]
      nodes[index].isOwnerMapped = isMapped(node.uid, by: namespace?.users, on: node)
      nodes[index].isGroupMapped = isMapped(node.gid, by: namespace?.groups, on: node)
    }
  }

  private mutating func translate(_ index: Int, through mount: Mount) {
    let node = nodes[index]
    nodes[index].uid = mount.userSeen(node.uid) ?? PreparedNode.invalidID
    nodes[index].gid = mount.groupSeen(node.gid) ?? PreparedNode.invalidID
    for entry in Int(node.firstEntry)..<Int(node.firstEntry + node.entryCount) {
      entries[entry] = entries[entry].seen(through: mount)
    }
  }

  private func isMapped(_ id: UInt32, by map: IDMap?, on node: PreparedNode) -> Ternary {
    if node.marks.contains(.idsUnknown) { return .maybe }
    if id == PreparedNode.invalidID { return .no }
    if subject.isNamespaceUnknown { return .maybe }
    if subject.hasOverflowIDs && id == PreparedSubject.overflowID { return .maybe }
    guard let map else { return .yes }
    return Ternary(map.inside(id) != nil)
  }
}

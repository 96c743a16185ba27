extension PreparedCase {
  private static let slash = UInt8(ascii: "/")

  /// Copies what has a fixed size, and the bytes of all names.
  ///
  /// The list is a span, because copying whole nodes would cost more than all the rest.
  static func prepare(
    _ list: Span<Node>, _ nodes: inout [PreparedNode], _ entries: inout [PreparedACLEntry],
    _ bytes: inout [UInt8]
  ) {
    nodes.reserveCapacity(list.count)
    // Most names are shorter; a second pass to count them would cost more than growing.
    bytes.reserveCapacity(list.count * 24)
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
        entries.append(contentsOf: acl.lazy.map(PreparedACLEntry.init))
      }
      nodes.append(prepared)
    }
  }

  /// Finds the order in which each directory comes directly before all that is below it.
  func order() -> NodeOrder {
    let count = Int32(clamping: nodes.count)
    var index: Int32 = 1
    while index < count && comesBefore(index - 1, index) { index += 1 }
    guard index < count else { return NodeOrder(count: nodes.count) }
    return NodeOrder([Int32](0..<count).sorted(by: comesBefore))
  }

  private func comesBefore(_ left: Int32, _ right: Int32) -> Bool {
    let bytes = bytes.span
    let (a, b) = (pathRange(left), pathRange(right))
    for offset in 0..<min(a.count, b.count) {
      let x = bytes[a.lowerBound + offset]
      let y = bytes[b.lowerBound + offset]
      // A slash sorts before every other byte, so that no sibling comes between.
      if x != y { return y != Self.slash && (x == Self.slash || x < y) }
    }
    if a.count != b.count { return a.count < b.count }
    return left < right
  }

  private func pathRange(_ index: Int32) -> Range<Int> {
    let start = Int(nodes[Int(index)].pathStart)
    return start..<start + Int(nodes[Int(index)].pathCount)
  }

  /// Finds the parent of each node and lists the children of each.
  mutating func link(_ order: NodeOrder) {
    var previous: Int32 = -1
    var childCount = 0
    for position in 0..<order.count {
      let index = order[position]
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
        childCount += 1
      }
      previous = index
    }
    children = [Int32](repeating: 0, count: childCount)
    Self.listChildren(&children, of: &nodes, order, root: root)
  }

  private static func listChildren(
    _ children: inout [Int32], of nodes: inout [PreparedNode], _ order: NodeOrder, root: Int32
  ) {
    var nodes = nodes.mutableSpan
    var children = children.mutableSpan
    var next: Int32 = 0
    for index in nodes.indices {
      nodes[index].firstChild = next
      next += nodes[index].childCount
      nodes[index].childCount = 0
    }
    for position in 0..<order.count {
      let index = order[position]
      guard index != root, !nodes[Int(index)].marks.contains(.unreachable) else { continue }
      let parent = Int(nodes[Int(index)].parent)
      children[Int(nodes[parent].firstChild + nodes[parent].childCount)] = index
      nodes[parent].childCount += 1
    }
  }

  private func isSamePath(_ left: Int32, _ right: Int32) -> Bool {
    let (a, b) = (pathRange(left), pathRange(right))
    return a.count == b.count && areSame(a.lowerBound, b.lowerBound, count: a.count)
  }

  private func areSame(_ left: Int, _ right: Int, count: Int) -> Bool {
    let bytes = bytes.span
    for offset in 0..<count where bytes[left + offset] != bytes[right + offset] { return false }
    return true
  }

  private func isAncestor(_ ancestor: Int32, of node: PreparedNode) -> Bool {
    if ancestor == root { return true }
    let above = pathRange(ancestor)
    let start = Int(node.pathStart)
    return above.count < Int(node.pathCount) && bytes[start + above.count] == Self.slash
      && areSame(above.lowerBound, start, count: above.count)
  }

  private func isDirectParent(_ parent: Int32, of node: PreparedNode) -> Bool {
    guard parent >= 0 else { return false }
    let expected = parent == root ? 1 : nodes[Int(parent)].pathCount + 1
    return node.nameStart - node.pathStart == expected
  }

  /// The mounts, and one more for what is on none of them.
  static func prepare(_ list: Span<Mount>) -> [PreparedMount] {
    var mounts: [PreparedMount] = []
    mounts.reserveCapacity(list.count + 1)
    for index in list.indices { mounts.append(PreparedMount(list[index])) }
    mounts.append(.unknown)
    return mounts
  }

  /// Finds the mount that each node is on.
  mutating func placeMounts(_ order: NodeOrder) {
    for index in access.mounts.indices {
      // A later mount covers an earlier one at the same place.
      if let node = node(at: access.mounts[index].at) {
        nodes[Int(node)].mount = Int32(clamping: index)
      }
    }
    if root >= 0 && nodes[Int(root)].mount < 0 {
      nodes[Int(root)].mount = Int32(clamping: mounts.count - 1)
    }
    for position in 0..<order.count {
      let index = order[position]
      guard nodes[Int(index)].mount < 0 else { continue }
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
      if mounts[number].marks.contains(.idmapUnobserved) {
        nodes[index].marks.insert(.idsUnknown)
      } else if mounts[number].marks.contains(.hasIDMap) {
        translate(index, through: access.mounts[number])
      }
      let node = nodes[index]
      nodes[index].isOwnerMapped = isMapped(node.uid, by: access.subject.userNamespace?.users, on: node)
      nodes[index].isGroupMapped = isMapped(node.gid, by: access.subject.userNamespace?.groups, on: node)
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

  private func isMapped(_ id: UInt32, by map: IDMap?, on node: PreparedNode) -> Truth {
    if node.marks.contains(.idsUnknown) { return .maybe }
    if id == PreparedNode.invalidID { return .no }
    if subject.isNamespaceUnknown { return .maybe }
    if subject.hasOverflowIDs && id == PreparedSubject.overflowID { return .maybe }
    guard let map else { return .yes }
    return Truth(map.inside(id) != nil)
  }
}

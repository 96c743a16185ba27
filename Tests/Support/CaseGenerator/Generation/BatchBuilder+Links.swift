internal import AccessModel

extension BatchBuilder {
  mutating func addLink(_ path: String, target: String) {
    let (users, groups) = owners(on: mounts[mountIndex(of: path)])
    var node = Node(
      path: path, type: .symbolicLink, mode: 0o777, uid: random.pick(users),
      gid: random.pick(groups))
    node.target = target
    nodes.append(node)
  }

  /// Returns a link target: an existing path in any notation, or a path that leads nowhere.
  mutating func makeTarget(from link: String) -> String {
    var target: String
    switch random.below(20) {
    case 0: target = "nowhere"
    case 1: target = random.pick(["/nowhere/x", "../nowhere", "nowhere/.."])
    case 2: target = link
    case 3: target = random.pick([".", "..", "/", "../..", "./."])
    case 4, 5:
      // Another link, or the link itself.
      target = "l\(random.below(6))"
    case 6..<13: target = random.pick(nodes).path
    default: target = Self.relative(to: random.pick(nodes).path, from: link)
    }
    if random.chance(8) { target += random.pick(["/", "/.", "//", "/.."]) }
    return target
  }

  /// Returns a path relative to the directory of a link.
  static func relative(to path: String, from link: String) -> String {
    let base = directory(of: link).split(separator: "/")
    let goal = path.split(separator: "/")
    var shared = 0
    while shared < base.count, shared < goal.count, base[shared] == goal[shared] { shared += 1 }
    let up = Array(repeating: "..", count: base.count - shared)
    let down = goal[shared...].map(String.init)
    let words = up + down
    return words.isEmpty ? "." : words.joined(separator: "/")
  }

  /// Adds a chain of links that is slightly longer than the kernel's limit of 40.
  mutating func addChain(_ protectedSymlinks: Bool) {
    let place = random.chance(50) ? "/" : random.pick(nodes.filter { $0.type == .directory }).path
    let goal = random.pick(nodes).path
    let length = 43
    for number in 0..<length {
      let path = Self.join(place, "k\(number)")
      let next = Self.join(place, "k\(number + 1)")
      let target =
        number + 1 == length ? goal : random.chance(50) ? next : "k\(number + 1)"
      addLink(path, target: target)
      chain.append(path)
    }
  }
}

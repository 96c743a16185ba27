internal import AccessModel

extension BatchBuilder {
  mutating func makeRequest() -> Request {
    if random.chance(6), let request = makeRareRequest() { return request }
    if random.chance(16) { return makeCreation() }
    let path = makePath()
    return random.chance(62) ? makeOpen(path) : makeAccess(path)
  }

  /// Creates a request for an object that other requests rarely pick.
  ///
  /// Some flags and access modes matter only for such objects.
  private mutating func makeRareRequest() -> Request? {
    let candidates = nodes.filter { node in
      let mount = mounts[mountIndex(of: node.path)]
      return !node.flags.isEmpty
        || node.type == .regular && (mount.readOnly || mount.superblockReadOnly || mount.noexec)
    }
    guard !candidates.isEmpty else { return nil }
    let path = random.pick(candidates).path
    switch random.below(7) {
    case 0, 1: return .open(path: path, flags: [.accessMode3])
    case 2: return .open(path: path, flags: [random.pick([.writeOnly, .readWrite]), .append])
    case 3: return .open(path: path, flags: [.writeOnly, .append, .truncate])
    case 4: return .open(path: path, flags: [.readOnly, .truncate])
    case 5: return .open(path: path, flags: [random.pick([.writeOnly, .accessMode3]), .append])
    default: return makeAccess(path)
    }
  }

  /// Creates a request with `O_CREAT`, for new names and existing objects, also through links.
  private mutating func makeCreation() -> Request {
    var path = makePath()
    switch random.below(10) {
    case 0..<5:
      let directory = random.pick(nodes.filter { $0.type == .directory }).path
      path = Self.join(directory, random.pick(["new", "nowhere", "é", random.pick(Self.names)]))
      if random.chance(12) { path = detour(path) }
      if random.chance(8) { path += makeSuffix() }
    case 5..<7:
      // Pick an object in a sticky directory.
      let sticky = Set(
        nodes.filter { $0.type == .directory && $0.mode & 0o1000 != 0 }.map(\.path))
      let held = nodes.filter { $0.path != "/" && sticky.contains(Self.directory(of: $0.path)) }
      let protected = held.filter { $0.type == .fifo || $0.type == .regular }
      if !protected.isEmpty && random.chance(80) {
        path = random.pick(protected).path
      } else if !held.isEmpty {
        path = random.pick(held).path
      }
    default: break
    }
    guard case .open(_, var flags) = makeOpen(path) else { return makeAccess(path) }
    if !flags.contains(.path) { flags.remove(.directory) }
    flags.insert(.create)
    if random.chance(20) { flags.insert(.exclusive) }
    return .open(path: path, flags: flags)
  }

  private mutating func makeOpen(_ path: String) -> Request {
    let mode: OpenFlag = random.pick([
      (32, .readOnly), (20, .writeOnly), (26, .readWrite), (13, .accessMode3), (9, .path),
    ])
    var flags: Set<OpenFlag> = [mode]
    let others: [(OpenFlag, Int)] = [
      (.truncate, 9), (.append, 16), (.nonBlocking, 50), (.directory, 7), (.noFollow, 12),
      (.noAccessTime, 16),
    ]
    for (flag, percent) in others where random.chance(percent) { flags.insert(flag) }
    return .open(path: path, flags: flags)
  }

  private mutating func makeAccess(_ path: String) -> Request {
    .access(
      path: path, mode: Permissions(rawValue: UInt8(random.below(8))),
      effective: random.chance(55), noFollow: random.chance(20))
  }

  // Paths

  private mutating func makePath() -> String {
    if !chain.isEmpty && random.chance(25) {
      // The number of links is close to the kernel's limit, or to half of it. The target of the
      // chain may contain more links.
      let links = random.chance(80) ? random.number(37...43) : random.number(18...23)
      return random.pick(["", "/."]) + chain[chain.count - links] + makeSuffix()
    }
    if random.chance(1) { return makeLongPath() }
    var path = pickTarget()
    if random.chance(7) {
      path = Self.join(path, random.pick(["nowhere", "..", ".", random.pick(Self.names)]))
    }
    if random.chance(14) { path = detour(path) }
    return path + makeSuffix()
  }

  private mutating func pickTarget() -> String {
    let wanted = random.below(100)
    let candidates: [Node]
    switch wanted {
    case 0..<38: candidates = nodes.filter { $0.type.isDevice }
    case 38..<56: candidates = nodes.filter { $0.type == .regular }
    case 56..<68: candidates = nodes.filter { $0.type == .directory }
    case 68..<84: candidates = nodes.filter { $0.type == .symbolicLink }
    case 84..<92:
      if let path = pickPathThroughLink() { return path }
      candidates = nodes
    default: candidates = nodes
    }
    return random.pick(candidates.isEmpty ? nodes : candidates).path
  }

  /// Returns a path to an object in a directory through a link to that directory.
  private mutating func pickPathThroughLink() -> String? {
    let directories = Set(nodes.filter { $0.type == .directory }.map(\.path))
    let links = nodes.filter { node in node.target.map { directories.contains($0) } ?? false }
    guard !links.isEmpty else { return nil }
    let link = random.pick(links)
    let held = nodes.filter { $0.path != "/" && Self.directory(of: $0.path) == link.target }
    return held.isEmpty
      ? link.path
      : link.path + "/" + (random.pick(held).path.split(separator: "/").last ?? "")
  }

  private mutating func makeSuffix() -> String {
    random.pick([
      (82, ""), (6, "/"), (4, "/."), (3, "/.."), (1, "//"), (2, "/./"), (1, "/../"),
      (1, "/nowhere"),
    ])
  }

  /// Returns another notation of the path, or of a similar one.
  private mutating func detour(_ path: String) -> String {
    let words = path.split(separator: "/").map(String.init)
    let place = random.below(words.count + 1)
    let insertion: [String]
    switch random.below(6) {
    case 0: insertion = ["."]
    case 1: insertion = [""]
    case 2: insertion = [random.pick(Self.names), ".."]
    case 3: insertion = ["l\(random.below(6))", ".."]
    case 4: insertion = [".."]
    default: insertion = words.isEmpty ? ["."] : [words[max(place - 1, 0)], ".."]
    }
    return "/" + (words[..<place] + insertion + words[place...]).joined(separator: "/")
  }

  /// Creates a name of about 255 bytes or a path of about 4095 bytes, which are the limits.
  private mutating func makeLongPath() -> String {
    let path = pickTarget()
    if random.chance(50) {
      return Self.join(path, String(repeating: "n", count: random.pick([254, 255, 256, 300])))
    }
    let length = random.pick([4094, 4095, 4096, 5000])
    return String(repeating: "/", count: max(length - path.utf8.count, 0)) + path
  }
}

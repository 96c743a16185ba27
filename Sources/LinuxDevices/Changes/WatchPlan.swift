internal import AccessModel

/// The files whose changes facts depend on.
///
/// A path can change at every directory on the way to it, and every one is watched by its names: of
/// a busy directory only those that matter wake anybody up.
struct WatchPlan: Equatable {
  private(set) var directories: [String: WatchedNames] = [:]
  /// Objects that are not directories, with the directory that each is in.
  private(set) var files: Set<String> = []
  /// Files whose contents matter, with the directory that each is in.
  private(set) var contents: Set<String> = []
  /// Where something is mounted, whose own directory tells of it, and not the one that the place is in.
  private(set) var mountPoints: Set<String> = []
  /// Directories below which nothing can be seen, and so nothing can change an answer.
  private(set) var hidden: Set<String> = []

  init(_ facts: [AccessFacts]) {
    for facts in facts { add(facts) }
  }

  /// Adds a file whose contents matter, which may be missing, and the directories on the way to it.
  mutating func addContents(of path: String) {
    contents.insert(path)
    var prefix = ""
    for name in AbsolutePath.components(of: path) {
      guard let directory = SymbolicLink.canonical(prefix.isEmpty ? "/" : prefix) else { return }
      directories[directory, default: .some([])].insert(name)
      prefix += "/\(name)"
    }
    // What it leads to is watched in its place.
    if let file = SymbolicLink.canonical(path) { contents.insert(file) }
  }

  /// Leaves out paths that are not to be touched.
  mutating func leaveOut(where isLeftOut: (String) -> Bool) {
    directories = directories.filter { !isLeftOut($0.key) }
    files = files.filter { !isLeftOut($0) }
    contents = contents.filter { !isLeftOut($0) }
  }

  /// Whether the plan for some facts, and what it cannot tell of, are those for others.
  static func isSame(for facts: AccessFacts, as before: AccessFacts) -> Bool {
    isSame(for: facts.access.nodes.span, as: before.access.nodes.span)
      && facts.access.request.path == before.access.request.path && facts.kind == before.kind
      && facts.devices == before.devices && facts.access.mounts == before.access.mounts
      && facts.origin?.kind == before.origin?.kind && facts.album == before.album
      && facts.account.home == before.account.home && facts.unobserved == before.unobserved
      && facts.failedCheck == before.failedCheck
  }

  /// In place, because nodes are large and those of each look are compared.
  private static func isSame(for nodes: Span<Node>, as before: Span<Node>) -> Bool {
    guard nodes.count == before.count else { return false }
    for index in nodes.indices {
      guard nodes[index].path == before[index].path, nodes[index].type == before[index].type,
        nodes[index].target == before[index].target, nodes[index].flags == before[index].flags,
        nodes[index].unobserved == before[index].unobserved
      else { return false }
    }
    return true
  }

  private mutating func add(_ facts: AccessFacts) {
    for node in facts.access.nodes {
      if node.type == .directory {
        directories[node.path] = directories[node.path] ?? .some([])
        if node.unobserved.contains(.contents) { hidden.insert(node.path) }
      } else {
        files.insert(node.path)
      }
    }
    mountPoints.formUnion(facts.access.mounts.map(\.at))
    let kind = facts.kind.flatMap(DeviceKind.named)
    // Of the others in its subsystem the events of devices tell.
    let shown = kind?.members(in: facts.devices) ?? facts.devices
    var paths = facts.access.nodes.map(\.path) + [facts.access.request.path]
    paths += shown.compactMap(\.node) + shown.flatMap(\.links)
    // What a link leads to may not exist yet.
    for node in facts.access.nodes {
      if let target = node.target { paths.append(SymbolicLink.resolve(target, from: node.path)) }
    }
    for path in paths { addNames(of: SymbolicLink.resolve(path, from: "/")) }
    guard facts.kind != nil, kind != .album else { return }
    addPlaces(of: kind, shown.compactMap(\.node) + [facts.access.request.path], facts.devices)
  }

  /// Where devices of a kind are, others appear; a kind that is not known can have any name.
  private mutating func addPlaces(
    of kind: DeviceKind?, _ nodes: [String], _ devices: [DeviceFacts]
  ) {
    let companions = kind == .camera ? CameraCompanions.namePrefixes : []
    let prefixes = Set((kind?.namePrefixes ?? []) + companions)
    let places = Set(nodes.map(AbsolutePath.parent))
    for place in places {
      directories[place]?.insert(beginningWith: prefixes.isEmpty ? [""] : prefixes)
    }
    // Companions have folders of their own.
    for place in Set(devices.compactMap(\.node).map(AbsolutePath.parent)).subtracting(places) {
      directories[place]?.insert(beginningWith: [""])
    }
  }

  private mutating func addNames(of path: String) {
    var directory = "/"
    for name in AbsolutePath.components(of: path) {
      directories[directory]?.insert(name)
      directory = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
    }
  }
}

extension AccessFacts {
  /// What the kernel could not tell, of which nothing tells when it can.
  var failedCheck: KernelCheck? { kernelChecks.first { $0.errno == .inputOutput } }
}

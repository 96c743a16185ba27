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
  /// Files whose contents matter that cannot be followed to their end, and why.
  private(set) var unfollowed: [String: Errno] = [:]

  init(_ facts: [AccessFacts]) {
    for facts in facts { add(facts) }
  }

  /// Adds a file whose contents matter, which may be missing, and the directories on the way to it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - way: The way to it.
  mutating func addContents(of path: String, by way: PathNames) {
    contents.insert(path)
    for (directory, names) in way.names {
      directories[directory, default: .some([])].formUnion(.some(names))
    }
    // What it leads to is watched in its place.
    if let file = way.end { contents.insert(file) }
    if let error = way.error { unfollowed[path] = error }
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
    let nodes = Dictionary(facts.access.nodes.map { (PathKey($0.path), $0) }) { first, _ in first }
    // What a link leads to may not exist yet: the names go on where the nodes end.
    var paths = [facts.access.request.path] + shown.compactMap(\.node) + shown.flatMap(\.links)
    paths += facts.access.nodes.filter { $0.type == .symbolicLink }.map(\.path)
    for path in paths {
      for (directory, names) in PathNames(of: path, in: nodes).names {
        directories[directory]?.formUnion(.some(names))
      }
    }
    for node in facts.access.nodes where node.path != "/" {
      directories[AbsolutePath.parent(of: node.path)]?.insert(AbsolutePath.name(of: node.path))
    }
    guard facts.kind != nil, kind != .album else { return }
    addPlaces(of: kind, shown.compactMap(\.node) + [facts.access.request.path], facts.devices)
  }

  /// Where devices of a kind are, others appear; a kind that is not known can have any name.
  private mutating func addPlaces(
    of kind: DeviceKind?, _ nodes: [String], _ devices: [DeviceFacts]
  ) {
    let companions = DeviceCompanions.namePrefixes(of: kind)
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
}

extension AccessFacts {
  /// What the kernel could not tell, of which nothing tells when it can.
  var failedCheck: KernelCheck? { kernelChecks.first { $0.errno == .inputOutput } }
}

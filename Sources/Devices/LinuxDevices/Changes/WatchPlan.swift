internal import AccessModel

/// The files and directories to watch for some facts.
///
/// Each directory on a path can change where the path leads, so all of them are watched. Of the
/// names in a directory, only those that matter cause a wake-up.
struct WatchPlan: Equatable {
  private(set) var directories: [String: WatchedNames] = [:]
  /// The objects to watch that are not directories, in addition to their parent directories.
  private(set) var files: Set<String> = []
  /// The files whose contents matter, in addition to their parent directories.
  private(set) var contents: Set<String> = []
  /// The mount points, at which the parent directory does not report changes to the mounted object.
  private(set) var mountPoints: Set<String> = []
  /// The directories that cannot be searched, whose contents therefore cannot affect an answer.
  private(set) var hidden: Set<String> = []
  /// The files whose contents matter but whose paths cannot be followed to their end, with the
  /// error.
  private(set) var unfollowed: [String: Errno] = [:]

  init(_ facts: [AccessFacts]) {
    for facts in facts { add(facts) }
  }

  /// Adds a file whose contents matter, and the directories on the path to it.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which may be missing.
  ///   - way: The names on the path.
  mutating func addContents(of path: String, by way: PathNames) {
    contents.insert(path)
    for (directory, names) in way.names {
      directories[directory, default: .some([])].formUnion(.some(names))
    }
    // If the path is a link, its target is watched as well.
    if let file = way.end { contents.insert(file) }
    if let error = way.error { unfollowed[path] = error }
  }

  /// Removes paths that must not be accessed.
  mutating func leaveOut(where isLeftOut: (String) -> Bool) {
    directories = directories.filter { !isLeftOut($0.key) }
    files = files.filter { !isLeftOut($0) }
    contents = contents.filter { !isLeftOut($0) }
  }

  /// Returns whether two sets of facts lead to the same plan with the same gaps.
  static func isSame(for facts: AccessFacts, as before: AccessFacts) -> Bool {
    isSame(for: facts.access.nodes.span, as: before.access.nodes.span)
      && facts.access.request.path == before.access.request.path && facts.kind == before.kind
      && facts.devices == before.devices && facts.access.mounts == before.access.mounts
      && facts.origin?.kind == before.origin?.kind && facts.album == before.album
      && facts.account.home == before.account.home && facts.unobserved == before.unobserved
      && facts.failedCheck == before.failedCheck
  }

  /// Compares the nodes without copying them, because they are large and each scan compares them.
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
    // Device events report changes to the other devices in the subsystem.
    let shown = kind?.members(in: facts.devices) ?? facts.devices
    let nodes = Dictionary(facts.access.nodes.map { (PathKey($0.path), $0) }) { first, _ in first }
    // The target of a link may not exist yet, so the names may continue after the last node.
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

  /// Adds the directories in which devices of a kind may appear.
  ///
  /// If the kind is unknown, a device may have any name.
  private mutating func addPlaces(
    of kind: DeviceKind?, _ nodes: [String], _ devices: [DeviceFacts]
  ) {
    let companions = DeviceCompanions.namePrefixes(of: kind)
    let prefixes = Set((kind?.namePrefixes ?? []) + companions)
    let places = Set(nodes.map(AbsolutePath.parent))
    for place in places {
      directories[place]?.insert(beginningWith: prefixes.isEmpty ? [""] : prefixes)
    }
    // Companion devices may be in other directories.
    for place in Set(devices.compactMap(\.node).map(AbsolutePath.parent)).subtracting(places) {
      directories[place]?.insert(beginningWith: [""])
    }
  }
}

extension AccessFacts {
  /// The kernel check that failed with an I/O error, if any; no event reports when it would
  /// succeed.
  var failedCheck: KernelCheck? { kernelChecks.first { $0.errno == .inputOutput } }
}

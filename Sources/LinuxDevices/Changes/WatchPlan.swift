internal import AccessModel

/// The files whose changes facts depend on.
///
/// A path can change at every directory on the way to it, and every one is watched by its names: of
/// a busy directory only those that matter wake anybody up.
struct WatchPlan: Equatable {
  /// What matters in a directory.
  enum Names: Equatable {
    case some(Set<String>)
    /// Every name, as where devices of a kind appear.
    case all

    mutating func insert(_ name: String) {
      guard case .some(var names) = self else { return }
      names.insert(name)
      self = .some(names)
    }

    func contains(_ name: String) -> Bool {
      switch self {
      case .some(let names): names.contains(name)
      case .all: true
      }
    }
  }

  private(set) var directories: [String: Names] = [:]
  /// Objects that are not directories, with the directory that each is in.
  private(set) var files: Set<String> = []
  /// Files whose contents matter, with the directory that each is in.
  private(set) var contents: Set<String> = []
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

  /// Whether the plan for some facts, and what it cannot tell of, are those for others.
  static func isSame(for facts: AccessFacts, as before: AccessFacts) -> Bool {
    isSame(for: facts.access.nodes.span, as: before.access.nodes.span)
      && facts.access.request.path == before.access.request.path && facts.kind == before.kind
      && facts.devices == before.devices && facts.access.mounts == before.access.mounts
      && facts.origin?.kind == before.origin?.kind && facts.album == before.album
      && facts.account.home == before.account.home
  }

  /// In place, because nodes are large and those of each look are compared.
  private static func isSame(for nodes: Span<Node>, as before: Span<Node>) -> Bool {
    guard nodes.count == before.count else { return false }
    for index in nodes.indices {
      guard nodes[index].path == before[index].path, nodes[index].type == before[index].type,
        nodes[index].target == before[index].target,
        nodes[index].unobserved.contains(.contents) == before[index].unobserved.contains(.contents)
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
    var paths = facts.access.nodes.map(\.path) + [facts.access.request.path]
    paths += facts.devices.compactMap(\.node) + facts.devices.flatMap(\.links)
    // What a link leads to may not exist yet.
    for node in facts.access.nodes {
      if let target = node.target { paths.append(SymbolicLink.resolve(target, from: node.path)) }
    }
    for path in paths { addNames(of: SymbolicLink.resolve(path, from: "/")) }
    guard facts.kind != nil, facts.kind != DeviceKind.album.name else { return }
    // Where devices of a kind are, others appear.
    for path in facts.devices.compactMap(\.node) + [facts.access.request.path] {
      let directory = AbsolutePath.parent(of: path)
      if directories[directory] != nil { directories[directory] = .all }
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

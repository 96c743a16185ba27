/// What is watched under one number, and to whom it matters.
struct WatchedPath {
  /// Where it is watched, and where it was; `nil` once that is too much to keep.
  private var paths: [String]? = []
  private var names: [Int: WatchedNames] = [:]
  /// Those to whom every name matters.
  private var everyone: Set<Int> = []
  /// Those to whom a name matters.
  private var byName: [String: Set<Int>] = [:]
  /// How the names begin that matter to somebody, beside single ones.
  private var byPrefix: [Int: Set<String>] = [:]
  private var filter = NameFilter()

  var isEmpty: Bool { names.isEmpty }

  /// The names that matter to somebody; `nil` for nobody who watches it.
  subscript(user: Int) -> WatchedNames? {
    get { names[user] }
    set {
      for name in names[user]?.names ?? [] { remove(user, from: name) }
      for prefix in byPrefix[user] ?? [] { filter.remove(prefix: prefix) }
      names[user] = newValue
      for name in newValue?.names ?? [] {
        if byName[name] == nil { filter.insert(name) }
        byName[name, default: []].insert(user)
      }
      if newValue?.isAll ?? false { everyone.insert(user) } else { everyone.remove(user) }
      let prefixes = newValue?.prefixes.subtracting([""]) ?? []
      byPrefix[user] = prefixes.isEmpty ? nil : prefixes
      for prefix in prefixes { filter.insert(prefix: prefix) }
    }
  }

  /// Those to whom something matters, in their order: to all of them without a name, as it is about
  /// the path itself.
  func users(of name: String) -> [Int] {
    if name.isEmpty { return names.keys.sorted() }
    var users = byName[name] ?? []
    if !everyone.isEmpty { users.formUnion(everyone) }
    for (user, prefixes) in byPrefix where prefixes.contains(where: { name.hasPrefix($0) }) {
      users.insert(user)
    }
    return users.sorted()
  }

  /// Whether a name may matter to somebody, told from its bytes: ``users(of:)`` makes sure.
  func mayMatter(_ name: Span<UInt8>) -> Bool { !everyone.isEmpty || filter.mayHold(name) }

  /// Adds a path that leads to it.
  ///
  /// - Returns: Whether it was not known to lead there.
  mutating func add(_ path: String) -> Bool {
    guard let known = paths, !known.contains(path) else { return false }
    paths = known.count < Self.mostPaths ? known + [path] : nil
    return true
  }

  /// What may be another object after something has happened to a name in it, or to itself where
  /// the name is empty.
  func changed(by name: String) -> ChangedPaths {
    guard let paths else { return .all }
    if name.isEmpty { return .some(Set(paths)) }
    return .some(Set(paths.map { $0 == "/" ? "/" + name : $0 + "/" + name }))
  }

  /// More than one leads to what is mounted at several places, or was moved.
  private static let mostPaths = 8

  private mutating func remove(_ user: Int, from name: String) {
    byName[name]?.remove(user)
    guard byName[name]?.isEmpty == true else { return }
    byName[name] = nil
    filter.remove(name)
  }
}

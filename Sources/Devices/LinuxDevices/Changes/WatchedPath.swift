/// An object with a watch descriptor, and the users that its events matter to.
struct WatchedPath {
  /// The paths that lead or led to the object; `nil` if there were too many to keep.
  private var paths: [String]? = []
  private var names: [Int: WatchedNames] = [:]
  /// The users to whom every name matters.
  private var everyone: Set<Int> = []
  /// The users to whom each name matters.
  private var byName: [String: Set<Int>] = [:]
  /// The prefixes of further names that matter to each user.
  private var byPrefix: [Int: Set<String>] = [:]
  private var filter = NameFilter()

  var isEmpty: Bool { names.isEmpty }

  /// The names that matter to a user; `nil` if the user does not watch the object.
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

  /// Returns the numbers of the users to whom a name matters, in ascending order.
  ///
  /// An event with an empty name concerns the object itself and matters to all users.
  func users(of name: String) -> [Int] {
    if name.isEmpty { return names.keys.sorted() }
    var users = byName[name] ?? []
    if !everyone.isEmpty { users.formUnion(everyone) }
    for (user, prefixes) in byPrefix where prefixes.contains(where: { name.hasPrefix($0) }) {
      users.insert(user)
    }
    return users.sorted()
  }

  /// Returns whether a name may matter to any user, judging only by its bytes.
  ///
  /// ``users(of:)`` gives the exact answer.
  func mayMatter(_ name: Span<UInt8>) -> Bool { !everyone.isEmpty || filter.mayHold(name) }

  /// Adds a path that leads to the object.
  ///
  /// - Returns: `true` if the path was not known.
  mutating func add(_ path: String) -> Bool {
    guard let known = paths, !known.contains(path) else { return false }
    paths = known.count < Self.mostPaths ? known + [path] : nil
    return true
  }

  /// Returns the paths that may lead to other objects after an event.
  ///
  /// - Parameter name: The name in the directory, or an empty name for the object itself.
  /// - Returns: The paths.
  func changed(by name: String) -> ChangedPaths {
    guard let paths else { return .all }
    if name.isEmpty { return .some(Set(paths)) }
    return .some(Set(paths.map { $0 == "/" ? "/" + name : $0 + "/" + name }))
  }

  /// The maximum number of paths to keep.
  ///
  /// An object has several paths if it is mounted in several places or was moved.
  private static let mostPaths = 8

  private mutating func remove(_ user: Int, from name: String) {
    byName[name]?.remove(user)
    guard byName[name]?.isEmpty == true else { return }
    byName[name] = nil
    filter.remove(name)
  }
}

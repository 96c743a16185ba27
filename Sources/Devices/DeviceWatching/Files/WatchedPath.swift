internal import LinuxDevices

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

/// The names in a directory that matter.
struct WatchedNames: Hashable, Sendable {
  private(set) var names: Set<String>
  /// The prefixes of further names that matter.
  private(set) var prefixes: Set<String> = []

  /// All names.
  static let all = Self(names: [], prefixes: [""])

  /// Returns only the given names.
  static func some(_ names: Set<String>) -> Self { Self(names: names) }

  /// Returns all names with one of the given prefixes.
  static func beginning(with prefixes: Set<String>) -> Self { Self(names: [], prefixes: prefixes) }

  var isAll: Bool { prefixes.contains("") }

  mutating func insert(_ name: String) {
    if !isAll { names.insert(name) }
  }

  mutating func insert(beginningWith prefixes: Set<String>) {
    self = union(.beginning(with: prefixes))
  }

  func contains(_ name: String) -> Bool {
    isAll || names.contains(name) || prefixes.contains { name.hasPrefix($0) }
  }

  mutating func formUnion(_ other: Self) {
    guard !isAll, !other.isAll else {
      self = .all
      return
    }
    names.formUnion(other.names)
    prefixes.formUnion(other.prefixes)
  }

  func union(_ other: Self) -> Self {
    var result = self
    result.formUnion(other)
    return result
  }
}

/// A filter that excludes most irrelevant names by their bytes, without creating strings.
///
/// Other programs may constantly create, remove and change files in a busy directory, and each time
/// cause an event.
struct NameFilter {
  /// The number of inserted names with each hash.
  private var hashes: [Int: Int] = [:]
  /// The number of insertions of each prefix.
  private var prefixes: [String: Int] = [:]
  /// A Boolean value that indicates whether a name or prefix that is not ASCII was ever inserted.
  ///
  /// Two equal strings that are not ASCII may consist of different bytes.
  private var hasOtherText = false

  mutating func insert(_ name: String) {
    hashes[hash(name), default: 0] += 1
    hasOtherText = hasOtherText || !name.utf8.allSatisfy { $0 < 0x80 }
  }

  /// Removes a name that was inserted.
  mutating func remove(_ name: String) { Self.remove(hash(name), from: &hashes) }

  /// Inserts all names with a prefix.
  mutating func insert(prefix: String) {
    prefixes[prefix, default: 0] += 1
    hasOtherText = hasOtherText || !prefix.utf8.allSatisfy { $0 < 0x80 }
  }

  /// Removes a prefix that was inserted.
  mutating func remove(prefix: String) { Self.remove(prefix, from: &prefixes) }

  /// Returns whether a name may match; false positives are possible.
  func mayHold(_ name: Span<UInt8>) -> Bool {
    hashes[hash(name)] != nil || hasOtherText
      || prefixes.contains { Self.begins(name, with: $0.key.utf8Span.span) }
  }

  private static func remove<Key>(_ key: Key, from counts: inout [Key: Int]) {
    guard let count = counts[key] else { return }
    counts[key] = count > 1 ? count - 1 : nil
  }

  private func hash(_ name: String) -> Int { hash(name.utf8Span.span) }

  /// Names with the same hash cannot be prepared, because hashes differ in each process.
  private func hash(_ name: Span<UInt8>) -> Int {
    var hasher = Hasher()
    unsafe name.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  private static func begins(_ name: Span<UInt8>, with prefix: Span<UInt8>) -> Bool {
    guard name.count >= prefix.count else { return false }
    for index in prefix.indices where name[index] != prefix[index] { return false }
    return true
  }
}

/// What is watched under one number, and to whom it matters.
struct WatchedPath {
  private var names: [Int: WatchPlan.Names] = [:]
  /// Those to whom every name matters.
  private var everyone: Set<Int> = []
  /// Those to whom a name matters.
  private var byName: [String: Set<Int>] = [:]

  var isEmpty: Bool { names.isEmpty }

  /// The names that matter to somebody; `nil` for nobody who watches it.
  subscript(user: Int) -> WatchPlan.Names? {
    get { names[user] }
    set {
      switch names[user] {
      case .some(.some(let old)): for name in old { remove(user, from: name) }
      case .some(.all): everyone.remove(user)
      case nil: break
      }
      names[user] = newValue
      switch newValue {
      case .some(.some(let new)): for name in new { byName[name, default: []].insert(user) }
      case .some(.all): everyone.insert(user)
      case nil: break
      }
    }
  }

  /// Those to whom something matters: to all of them without a name, as it is about the path itself.
  func users(of name: String) -> Set<Int> {
    if name.isEmpty { return Set(names.keys) }
    guard let users = byName[name] else { return everyone }
    return everyone.isEmpty ? users : users.union(everyone)
  }

  private mutating func remove(_ user: Int, from name: String) {
    byName[name]?.remove(user)
    if byName[name]?.isEmpty == true { byName[name] = nil }
  }
}

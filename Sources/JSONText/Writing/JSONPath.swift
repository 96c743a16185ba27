/// Where a value stands that is being written: its key, and the path of what holds it.
///
/// A linked list, so that going one deeper costs the same at any depth.
final class JSONPath {
  private let parent: JSONPath?
  private let key: any CodingKey
  /// How many keys lead to the value.
  let depth: Int

  init(_ parent: JSONPath?, _ key: any CodingKey) {
    self.parent = parent
    self.key = key
    depth = 1 + (parent?.depth ?? 0)
  }

  /// The keys, the outermost first.
  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    keys.reserveCapacity(depth)
    var place: JSONPath? = self
    while let here = place {
      keys.append(here.key)
      place = here.parent
    }
    return keys.reversed()
  }
}

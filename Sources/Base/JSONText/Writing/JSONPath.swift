/// The path to a value that is being written, as its key and the path of its container.
///
/// It is a linked list, so adding a key takes the same time at any depth.
final class JSONPath {
  private let parent: JSONPath?
  private let key: any CodingKey
  /// The number of keys in the path.
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

/// A set of devices that is optimized for a lookup for each open file of every process.
struct NodeNumbers: Sendable {
  private let all: Set<NodeNumber>
  /// The same devices in an array if there are few, because a linear search is then faster than
  /// hashing.
  private let few: [NodeNumber]

  init(_ numbers: [NodeNumber]) {
    all = Set(numbers)
    few = all.count <= 8 ? Array(all) : []
  }

  func contains(_ number: NodeNumber) -> Bool {
    few.isEmpty ? all.contains(number) : few.contains(number)
  }
}

/// Some devices, to be asked for each open file of every process.
struct NodeNumbers: Sendable {
  private let all: Set<NodeNumber>
  /// The same in a list, where there are so few that going through them is quicker than a hash.
  private let few: [NodeNumber]

  init(_ numbers: [NodeNumber]) {
    all = Set(numbers)
    few = all.count <= 8 ? Array(all) : []
  }

  func contains(_ number: NodeNumber) -> Bool {
    few.isEmpty ? all.contains(number) : few.contains(number)
  }
}

/// The order in which nodes are indexed, which nearly every case lists them in already.
struct NodeOrder {
  let count: Int
  /// Empty when the order is that of the list, so that it costs no memory.
  private let sorted: [Int32]

  /// The order of the list.
  init(count: Int) {
    self.count = count
    sorted = []
  }

  init(_ sorted: [Int32]) {
    count = sorted.count
    self.sorted = sorted
  }

  /// The index of the node at a position.
  subscript(position: Int) -> Int32 {
    sorted.isEmpty ? Int32(truncatingIfNeeded: position) : sorted[position]
  }
}

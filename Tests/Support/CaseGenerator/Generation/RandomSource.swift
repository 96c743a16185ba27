/// A small random number generator whose sequence depends on nothing but its seed.
///
/// The algorithm is SplitMix64 (Steele, Lea and Flood, 2014). The standard library's own
/// generators cannot be seeded, and its helpers may change between releases, so that a seed in a
/// report would not bring the same case back.
public struct RandomSource: Sendable {
  private var state: UInt64

  /// Starts a sequence of its own for each pair of a seed and a stream.
  public init(seed: UInt64, stream: UInt64 = 0) {
    state = seed
    let first = next()
    state = first ^ (stream &* 0xd134_2543_de82_ef95)
    _ = next()
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to and without `limit`, or 0 when the limit is not positive.
  public mutating func below(_ limit: Int) -> Int {
    limit > 0 ? Int(next() % UInt64(limit)) : 0
  }

  /// A number of the range.
  public mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// Whether an event that happens so many times in a hundred happens now.
  public mutating func chance(_ percent: Int) -> Bool {
    below(100) < percent
  }

  /// An element of a collection that is not empty.
  public mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  /// An element, each as often as its weight says.
  public mutating func pick<Element>(_ weighted: [(weight: Int, element: Element)]) -> Element {
    var rest = below(weighted.reduce(0) { $0 + $1.weight })
    for (weight, element) in weighted {
      if rest < weight { return element }
      rest -= weight
    }
    return weighted[weighted.count - 1].element
  }

  /// Some of the elements, each with the same chance, in their order.
  public mutating func some<Element>(of elements: [Element], percent: Int) -> [Element] {
    var chosen: [Element] = []
    for element in elements where chance(percent) { chosen.append(element) }
    return chosen
  }

  /// The elements in another order.
  public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var result = elements
    for last in stride(from: result.count - 1, to: 0, by: -1) {
      result.swapAt(last, below(last + 1))
    }
    return result
  }
}

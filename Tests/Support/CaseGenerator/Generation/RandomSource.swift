/// A small random number generator whose sequence depends only on its seed.
///
/// The algorithm is SplitMix64 (Steele, Lea and Flood, 2014). The generators of the standard
/// library cannot be seeded, and its helpers may change between releases, so a reported seed might
/// not reproduce a case.
public struct RandomSource: Sendable {
  private var state: UInt64

  /// Creates a generator with a separate sequence for each pair of a seed and a stream.
  public init(seed: UInt64, stream: UInt64 = 0) {
    state = seed
    let first = next()
    state = first ^ (stream &* 0xd134_2543_de82_ef95)
    _ = next()
  }

  /// Returns the next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 up to but not including `limit`; 0 if the limit is not positive.
  public mutating func below(_ limit: Int) -> Int {
    limit > 0 ? Int(next() % UInt64(limit)) : 0
  }

  /// Returns a number in a range.
  public mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// Returns `true` with the given probability, in percent.
  public mutating func chance(_ percent: Int) -> Bool {
    below(100) < percent
  }

  /// Returns a random element of a collection, which must not be empty.
  public mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  /// Returns a random element with a probability proportional to its weight.
  public mutating func pick<Element>(_ weighted: [(weight: Int, element: Element)]) -> Element {
    var rest = below(weighted.reduce(0) { $0 + $1.weight })
    for (weight, element) in weighted {
      if rest < weight { return element }
      rest -= weight
    }
    return weighted[weighted.count - 1].element
  }

  /// Returns some of the elements, each with the given probability, in their original order.
  public mutating func some<Element>(of elements: [Element], percent: Int) -> [Element] {
    var chosen: [Element] = []
    for element in elements where chance(percent) { chosen.append(element) }
    return chosen
  }

  /// Returns the elements in random order.
  public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var result = elements
    for last in stride(from: result.count - 1, to: 0, by: -1) {
      result.swapAt(last, below(last + 1))
    }
    return result
  }
}

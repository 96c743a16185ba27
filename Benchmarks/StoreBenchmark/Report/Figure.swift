/// A line of the report.
enum Figure: Sendable {
  /// The cost of an operation.
  case cost(Cost, of: String)
  /// The duration of the calls on several threads.
  case latency(Latency, of: String)
  /// A number that is not a cost, such as an amount of memory.
  case number(Double, unit: String, of: String)
  /// The comparison of a number with a target.
  case comparison(Double, medians: Double?, unit: String, with: String, target: Double)

  enum Key: String, CodingKey {
    case group, kind, name, best, median, allocations, value, unit, target, met
    case p99, p999, longest, longestOwn, calls, told, peakBytes
  }

  /// The figure as one line of text.
  var text: String {
    switch self {
    case .cost(let cost, let name):
      "  \(name.padded(to: 46)) best \(cost.best.text) ns   median \(cost.median.text) ns"
        + "   allocations \(cost.allocations.text)"
    case .latency(let latency, let name):
      "  \(name.padded(to: 36)) \(latency.text)"
    case .number(let value, let unit, let name):
      "  \(name.padded(to: 46)) \(value.text) \(unit)"
    case .comparison(let value, let medians, let unit, let name, let target):
      "  → \(value.text) \(unit) \(name)"
        + (medians.map { " (medians \($0.text) \(unit))" } ?? "")
        + "; target ≤ \(target.text) \(unit) " + (Self.meets(value, target) ? "met" : "MISSED")
    }
  }

  /// Encodes the members of the figure into an object.
  func encode(into object: inout KeyedEncodingContainer<Key>) throws {
    switch self {
    case .cost(let cost, let name):
      try object.encode("cost", forKey: .kind)
      try object.encode(name, forKey: .name)
      try object.encode("ns", forKey: .unit)
      try object.encode(cost.best.rounded(to: 100), forKey: .best)
      try object.encode(cost.median.rounded(to: 100), forKey: .median)
      try object.encode(cost.allocations.rounded(to: 100), forKey: .allocations)
    case .latency(let latency, let name):
      try object.encode("latency", forKey: .kind)
      try object.encode(name, forKey: .name)
      try object.encode("µs", forKey: .unit)
      let quantiles: [(Key, (Latency.Run) -> Double)] = [
        (.median, { $0.quantile(0.5) }), (.p99, { $0.quantile(0.99) }),
        (.p999, { $0.quantile(0.999) }), (.longest, \.longest),
        (.longestOwn, \.longestOwn),
        (.calls, { Double($0.calls.count) }), (.told, { Double($0.told) }),
        (.peakBytes, { Double($0.peak) }),
      ]
      for (key, number) in quantiles {
        try object.encode(latency.median(number).rounded(to: 100), forKey: key)
      }
      try object.encode(latency.best(\.longest).rounded(to: 100), forKey: .best)
    case .number(let value, let unit, let name):
      try object.encode("number", forKey: .kind)
      try object.encode(name, forKey: .name)
      try object.encode(unit, forKey: .unit)
      try object.encode(value.rounded(to: 100), forKey: .value)
    case .comparison(let value, let medians, let unit, let name, let target):
      try object.encode("comparison", forKey: .kind)
      try object.encode(name, forKey: .name)
      try object.encode(unit, forKey: .unit)
      try object.encode(value.rounded(to: 100), forKey: .value)
      try object.encodeIfPresent(medians?.rounded(to: 100), forKey: .median)
      try object.encode(target, forKey: .target)
      try object.encode(Self.meets(value, target), forKey: .met)
    }
  }

  /// Returns whether the number meets the target, rounded as it is printed.
  private static func meets(_ value: Double, _ target: Double) -> Bool {
    value.rounded(to: 100) <= target
  }
}

extension Double {
  /// The number with two decimals if it is less than 10, and as an integer otherwise.
  var text: String {
    let scaled = rounded(to: magnitude < 10 ? 100 : 1)
    return scaled == scaled.rounded() && scaled.magnitude < 1e15 ? "\(Int(scaled))" : "\(scaled)"
  }

  func rounded(to fraction: Double) -> Double { (self * fraction).rounded() / fraction }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

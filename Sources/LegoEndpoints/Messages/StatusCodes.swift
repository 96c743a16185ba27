/// A set of status codes.
public struct StatusCodes: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var ranges: [ClosedRange<Int>]

  /// Single codes.
  public init(arrayLiteral elements: Int...) {
    ranges = elements.map { $0...$0 }
  }

  /// All codes of a range.
  public init(_ range: ClosedRange<Int>) {
    ranges = [range]
  }

  /// From 200 to 299: the request succeeded.
  public static let successful = StatusCodes(200...299)
  /// Every status.
  public static let any = StatusCodes(0...999)

  /// Whether a code is one of them.
  public func contains(_ status: Int) -> Bool { ranges.contains { $0.contains(status) } }

  /// These codes and others.
  public func union(_ others: StatusCodes) -> StatusCodes {
    var result = self
    result.ranges += others.ranges
    return result
  }
}

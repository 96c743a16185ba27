extension Subscribers {
  /// The number of values that a subscriber requests.
  ///
  /// Demand is cumulative and never negative. If a sum or product overflows, the result is
  /// ``unlimited``.
  public struct Demand: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number of values, or `Int.max` if the demand is unlimited.
    @usableFromInline let count: Int

    @inlinable init(count: Int) { self.count = count }

    /// A request for an unlimited number of values.
    public static let unlimited = Demand(count: .max)
    /// A request for no values.
    public static let none = Demand(count: 0)

    /// Creates a request for at most the given number of values.
    ///
    /// A negative number counts as zero, and `Int.max` as unlimited.
    @inlinable public static func max(_ value: Int) -> Demand {
      Demand(count: Swift.max(0, value))
    }

    /// The number of requested values, or `nil` if the demand is unlimited.
    public var max: Int? { count == .max ? nil : count }

    /// A textual representation of the demand.
    public var description: String { count == .max ? "unlimited" : "max(\(count))" }

    /// Returns whether the first demand is less than the second.
    @inlinable public static func < (left: Demand, right: Demand) -> Bool {
      left.count < right.count
    }
  }
}

// MARK: - Arithmetic

extension Subscribers.Demand {
  /// Adds two demands, and returns the sum.
  public static func + (left: Self, right: Self) -> Self {
    let (sum, overflow) = left.count.addingReportingOverflow(right.count)
    return overflow ? .unlimited : Self(count: sum)
  }

  /// Adds the second demand to the first.
  public static func += (left: inout Self, right: Self) { left = left + right }

  /// Adds a number of values to a demand, and returns the sum.
  public static func + (left: Self, right: Int) -> Self { left + .max(right) }

  /// Adds a number of values to a demand.
  public static func += (left: inout Self, right: Int) { left = left + right }

  /// Subtracts the second demand from the first, and returns the difference.
  ///
  /// The result is never negative. An unlimited demand stays unlimited.
  public static func - (left: Self, right: Self) -> Self {
    if left == .unlimited { return .unlimited }
    return right.count >= left.count ? .none : Self(count: left.count - right.count)
  }

  /// Subtracts the second demand from the first.
  public static func -= (left: inout Self, right: Self) { left = left - right }

  /// Subtracts a number of values from a demand, and returns the difference.
  public static func - (left: Self, right: Int) -> Self { left - .max(right) }

  /// Subtracts a number of values from a demand.
  public static func -= (left: inout Self, right: Int) { left = left - right }

  /// Multiplies a demand by a factor, and returns the product.
  ///
  /// If the factor is zero or negative, the result is ``none``.
  public static func * (left: Self, right: Int) -> Self {
    if right <= 0 { return .none }
    let (product, overflow) = left.count.multipliedReportingOverflow(by: right)
    return overflow ? .unlimited : Self(count: product)
  }

  /// Multiplies a demand by a factor.
  public static func *= (left: inout Self, right: Int) { left = left * right }
}

// MARK: - Comparison with a number of values

extension Subscribers.Demand {
  private var isUnlimited: Bool { count == .max }

  /// Returns whether a demand is less than a number of values.
  public static func < (left: Self, right: Int) -> Bool { !left.isUnlimited && left.count < right }

  /// Returns whether a number of values is less than a demand.
  public static func < (left: Int, right: Self) -> Bool { right.isUnlimited || left < right.count }

  /// Returns whether a demand is less than or equal to a number of values.
  public static func <= (left: Self, right: Int) -> Bool { !(left > right) }

  /// Returns whether a number of values is less than or equal to a demand.
  public static func <= (left: Int, right: Self) -> Bool { !(right < left) }

  /// Returns whether a demand is greater than a number of values.
  public static func > (left: Self, right: Int) -> Bool { left.isUnlimited || left.count > right }

  /// Returns whether a number of values is greater than a demand.
  public static func > (left: Int, right: Self) -> Bool { right < left }

  /// Returns whether a demand is greater than or equal to a number of values.
  public static func >= (left: Self, right: Int) -> Bool { !(left < right) }

  /// Returns whether a number of values is greater than or equal to a demand.
  public static func >= (left: Int, right: Self) -> Bool { !(left < right) }

  /// Returns whether a demand is equal to a number of values.
  public static func == (left: Self, right: Int) -> Bool {
    !left.isUnlimited && left.count == right
  }

  /// Returns whether a number of values is equal to a demand.
  public static func == (left: Int, right: Self) -> Bool { right == left }

  /// Returns whether a demand is not equal to a number of values.
  public static func != (left: Self, right: Int) -> Bool { !(left == right) }

  /// Returns whether a number of values is not equal to a demand.
  public static func != (left: Int, right: Self) -> Bool { !(right == left) }
}

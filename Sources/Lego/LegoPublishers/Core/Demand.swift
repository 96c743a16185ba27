extension Subscribers {
  /// The number of values that a subscriber is ready to receive.
  ///
  /// Demand accumulates and never becomes negative. Arithmetic stops at ``unlimited``.
  public struct Demand: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number of values; `Int.max` means unlimited.
    @usableFromInline let count: Int

    @inlinable init(count: Int) { self.count = count }

    /// All values.
    public static let unlimited = Demand(count: .max)
    /// No further value.
    public static let none = Demand(count: 0)

    /// At most the given number of values.
    ///
    /// A negative number counts as zero.
    @inlinable public static func max(_ value: Int) -> Demand {
      Demand(count: Swift.max(0, value))
    }

    /// The number of values, or `nil` for unlimited demand.
    public var max: Int? { count == .max ? nil : count }

    /// The demand as text.
    public var description: String { count == .max ? "unlimited" : "max(\(count))" }

    /// Compares the numbers of values.
    @inlinable public static func < (left: Demand, right: Demand) -> Bool {
      left.count < right.count
    }
  }
}

// MARK: - Arithmetic

extension Subscribers.Demand {
  /// Adds two demands.
  public static func + (left: Self, right: Self) -> Self {
    let (sum, overflow) = left.count.addingReportingOverflow(right.count)
    return overflow ? .unlimited : Self(count: sum)
  }

  /// Adds to a demand.
  public static func += (left: inout Self, right: Self) { left = left + right }

  /// Adds a number of values.
  public static func + (left: Self, right: Int) -> Self { left + .max(right) }

  /// Adds a number of values.
  public static func += (left: inout Self, right: Int) { left = left + right }

  /// Subtracts a demand; unlimited demand stays unlimited.
  public static func - (left: Self, right: Self) -> Self {
    if left == .unlimited { return .unlimited }
    return right.count >= left.count ? .none : Self(count: left.count - right.count)
  }

  /// Subtracts from a demand.
  public static func -= (left: inout Self, right: Self) { left = left - right }

  /// Subtracts a number of values.
  public static func - (left: Self, right: Int) -> Self { left - .max(right) }

  /// Subtracts a number of values.
  public static func -= (left: inout Self, right: Int) { left = left - right }

  /// Multiplies a demand.
  public static func * (left: Self, right: Int) -> Self {
    if right <= 0 { return .none }
    let (product, overflow) = left.count.multipliedReportingOverflow(by: right)
    return overflow ? .unlimited : Self(count: product)
  }

  /// Multiplies a demand.
  public static func *= (left: inout Self, right: Int) { left = left * right }
}

// MARK: - Comparison with a number of values

extension Subscribers.Demand {
  private var isUnlimited: Bool { count == .max }

  /// Returns whether a demand is less than a number of values.
  public static func < (left: Self, right: Int) -> Bool { !left.isUnlimited && left.count < right }

  /// Returns whether a number of values is less than a demand.
  public static func < (left: Int, right: Self) -> Bool { right.isUnlimited || left < right.count }

  /// Returns whether a demand is at most a number of values.
  public static func <= (left: Self, right: Int) -> Bool { !(left > right) }

  /// Returns whether a number of values is at most a demand.
  public static func <= (left: Int, right: Self) -> Bool { !(right < left) }

  /// Returns whether a demand is more than a number of values.
  public static func > (left: Self, right: Int) -> Bool { left.isUnlimited || left.count > right }

  /// Returns whether a number of values is more than a demand.
  public static func > (left: Int, right: Self) -> Bool { right < left }

  /// Returns whether a demand is at least a number of values.
  public static func >= (left: Self, right: Int) -> Bool { !(left < right) }

  /// Returns whether a number of values is at least a demand.
  public static func >= (left: Int, right: Self) -> Bool { !(left < right) }

  /// Returns whether a demand is a number of values.
  public static func == (left: Self, right: Int) -> Bool {
    !left.isUnlimited && left.count == right
  }

  /// Returns whether a number of values is a demand.
  public static func == (left: Int, right: Self) -> Bool { right == left }

  /// Returns whether a demand is not a number of values.
  public static func != (left: Self, right: Int) -> Bool { !(left == right) }

  /// Returns whether a number of values is not a demand.
  public static func != (left: Int, right: Self) -> Bool { !(right == left) }
}

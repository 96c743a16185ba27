extension Subscribers {
  /// How many values a subscriber is ready to receive.
  ///
  /// Demand adds up and never goes below zero; arithmetic stops at ``unlimited``.
  public struct Demand: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The count, where `Int.max` stands for unlimited.
    @usableFromInline let count: Int

    @inlinable init(count: Int) {
      self.count = count
    }

    /// As many as there are.
    public static let unlimited = Demand(count: .max)
    /// No more than were asked for already.
    public static let none = Demand(count: 0)

    /// At most this many; a negative number counts as none.
    @inlinable public static func max(_ value: Int) -> Demand {
      Demand(count: Swift.max(0, value))
    }

    /// The number of values, or `nil` when unlimited.
    public var max: Int? { count == .max ? nil : count }

    /// The demand as text.
    public var description: String {
      count == .max ? "unlimited" : "max(\(count))"
    }

    /// Compares by the number of values.
    @inlinable public static func < (left: Demand, right: Demand) -> Bool {
      left.count < right.count
    }

    /// Adds two demands.
    public static func + (left: Demand, right: Demand) -> Demand {
      let (sum, overflow) = left.count.addingReportingOverflow(right.count)
      return overflow ? .unlimited : Demand(count: sum)
    }

    /// Adds to a demand.
    public static func += (left: inout Demand, right: Demand) { left = left + right }

    /// Adds a number of values.
    public static func + (left: Demand, right: Int) -> Demand { left + .max(right) }

    /// Adds a number of values.
    public static func += (left: inout Demand, right: Int) { left = left + right }

    /// Subtracts a demand; unlimited less anything stays unlimited.
    public static func - (left: Demand, right: Demand) -> Demand {
      if left == .unlimited { return .unlimited }
      return right.count >= left.count ? .none : Demand(count: left.count - right.count)
    }

    /// Subtracts from a demand.
    public static func -= (left: inout Demand, right: Demand) { left = left - right }

    /// Subtracts a number of values.
    public static func - (left: Demand, right: Int) -> Demand { left - .max(right) }

    /// Subtracts a number of values.
    public static func -= (left: inout Demand, right: Int) { left = left - right }

    /// Multiplies a demand.
    public static func * (left: Demand, right: Int) -> Demand {
      if right <= 0 { return .none }
      let (product, overflow) = left.count.multipliedReportingOverflow(by: right)
      return overflow ? .unlimited : Demand(count: product)
    }

    /// Multiplies a demand.
    public static func *= (left: inout Demand, right: Int) { left = left * right }
  }
}

extension Subscribers.Demand {
  /// Tells whether a demand is less than a number of values.
  public static func < (left: Self, right: Int) -> Bool {
    left.isUnlimited ? false : left.count < right
  }

  /// Tells whether a number of values is less than a demand.
  public static func < (left: Int, right: Self) -> Bool {
    right.isUnlimited ? true : left < right.count
  }

  /// Tells whether a demand is at most a number of values.
  public static func <= (left: Self, right: Int) -> Bool {
    left.isUnlimited ? false : left.count <= right
  }

  /// Tells whether a number of values is at most a demand.
  public static func <= (left: Int, right: Self) -> Bool {
    right.isUnlimited ? true : left <= right.count
  }

  /// Tells whether a demand is more than a number of values.
  public static func > (left: Self, right: Int) -> Bool {
    left.isUnlimited ? true : left.count > right
  }

  /// Tells whether a number of values is more than a demand.
  public static func > (left: Int, right: Self) -> Bool {
    right.isUnlimited ? false : left > right.count
  }

  /// Tells whether a demand is at least a number of values.
  public static func >= (left: Self, right: Int) -> Bool {
    left.isUnlimited ? true : left.count >= right
  }

  /// Tells whether a number of values is at least a demand.
  public static func >= (left: Int, right: Self) -> Bool {
    right.isUnlimited ? false : left >= right.count
  }

  /// Tells whether a demand is a number of values.
  public static func == (left: Self, right: Int) -> Bool {
    left.isUnlimited ? false : left.count == right
  }

  /// Tells whether a number of values is a demand.
  public static func == (left: Int, right: Self) -> Bool {
    right.isUnlimited ? false : left == right.count
  }

  /// Tells whether a demand is not a number of values.
  public static func != (left: Self, right: Int) -> Bool {
    left.isUnlimited ? true : left.count != right
  }

  /// Tells whether a number of values is not a demand.
  public static func != (left: Int, right: Self) -> Bool {
    right.isUnlimited ? true : left != right.count
  }

  var isUnlimited: Bool { count == .max }
}

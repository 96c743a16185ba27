extension Subscribers.Demand {
  /// Tells whether a demand is less than a number of values.
  @inlinable public static func < (left: Self, right: Int) -> Bool {
    left.isUnlimited ? false : left.count < right
  }

  /// Tells whether a number of values is less than a demand.
  @inlinable public static func < (left: Int, right: Self) -> Bool {
    right.isUnlimited ? true : left < right.count
  }

  /// Tells whether a demand is at most a number of values.
  @inlinable public static func <= (left: Self, right: Int) -> Bool {
    left.isUnlimited ? false : left.count <= right
  }

  /// Tells whether a number of values is at most a demand.
  @inlinable public static func <= (left: Int, right: Self) -> Bool {
    right.isUnlimited ? true : left <= right.count
  }

  /// Tells whether a demand is more than a number of values.
  @inlinable public static func > (left: Self, right: Int) -> Bool {
    left.isUnlimited ? true : left.count > right
  }

  /// Tells whether a number of values is more than a demand.
  @inlinable public static func > (left: Int, right: Self) -> Bool {
    right.isUnlimited ? false : left > right.count
  }

  /// Tells whether a demand is at least a number of values.
  @inlinable public static func >= (left: Self, right: Int) -> Bool {
    left.isUnlimited ? true : left.count >= right
  }

  /// Tells whether a number of values is at least a demand.
  @inlinable public static func >= (left: Int, right: Self) -> Bool {
    right.isUnlimited ? false : left >= right.count
  }

  /// Tells whether a demand is a number of values.
  @inlinable public static func == (left: Self, right: Int) -> Bool {
    left.isUnlimited ? false : left.count == right
  }

  /// Tells whether a number of values is a demand.
  @inlinable public static func == (left: Int, right: Self) -> Bool {
    right.isUnlimited ? false : left == right.count
  }

  /// Tells whether a demand is not a number of values.
  @inlinable public static func != (left: Self, right: Int) -> Bool {
    left.isUnlimited ? true : left.count != right
  }

  /// Tells whether a number of values is not a demand.
  @inlinable public static func != (left: Int, right: Self) -> Bool {
    right.isUnlimited ? true : left != right.count
  }

  @inlinable var isUnlimited: Bool { count == .max }
}

/// A point in time for the schedulers in this module, in nanoseconds since the scheduler's origin.
public struct SchedulerTime: Strideable, InstantProtocol, Hashable, Sendable {
  /// The number of nanoseconds since the origin.
  public let nanoseconds: Int

  /// Creates a point in time that is the given number of nanoseconds after the origin.
  public init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

  /// Returns the interval from this point in time to another.
  ///
  /// If the interval overflows, it is clamped to the largest or smallest possible interval.
  public func distance(to other: SchedulerTime) -> Stride {
    Stride(nanoseconds: other.nanoseconds) - Stride(nanoseconds: nanoseconds)
  }

  /// Returns this point in time, offset by the given interval.
  ///
  /// If the result overflows, it is clamped to the latest or earliest possible point in time.
  public func advanced(by stride: Stride) -> SchedulerTime {
    SchedulerTime(nanoseconds: (Stride(nanoseconds: nanoseconds) + stride).nanoseconds)
  }

  /// Returns this point in time, offset by the given duration.
  ///
  /// If the result overflows, it is clamped to the latest or earliest possible point in time.
  public func advanced(by duration: Duration) -> SchedulerTime {
    advanced(by: Stride(duration))
  }

  /// Returns the duration from this point in time to another.
  public func duration(to other: SchedulerTime) -> Duration { distance(to: other).duration }

  /// Returns whether the first point in time is earlier than the second.
  public static func < (left: SchedulerTime, right: SchedulerTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// An interval between two points in time.
  ///
  /// A numeric literal represents a number of seconds.
  public struct Stride: SignedNumeric, ExpressibleByFloatLiteral, Comparable, Hashable, Sendable,
    SchedulerTimeIntervalConvertible
  {
    /// The number of nanoseconds.
    public var nanoseconds: Int

    /// Creates an interval of the given number of nanoseconds.
    public init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

    /// Creates an interval of the given number of whole seconds.
    public init(integerLiteral value: Int) { self = .seconds(value) }

    /// Creates an interval of the given number of seconds.
    public init(floatLiteral value: Double) { self = .seconds(value) }

    /// Creates an interval of the given number of seconds, or returns `nil` if the number does not
    /// fit in an `Int`.
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let seconds = Int(exactly: source) else { return nil }
      self = .seconds(seconds)
    }

    /// Creates an interval from a duration, rounded toward zero to whole nanoseconds.
    public init(_ duration: Duration) {
      let (seconds, attoseconds) = duration.components
      self = .seconds(Int(clamping: seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
    }

    /// The interval as a duration.
    public var duration: Duration { .nanoseconds(nanoseconds) }

    /// The absolute value of the interval, clamped to the largest possible interval.
    public var magnitude: Stride {
      nanoseconds < 0 ? Stride(nanoseconds: 0) - self : self
    }

    /// Returns whether the first interval is less than the second.
    public static func < (left: Stride, right: Stride) -> Bool {
      left.nanoseconds < right.nanoseconds
    }

    /// Adds two intervals, and returns the sum.
    ///
    /// If the sum overflows, it is clamped to the largest or smallest possible interval.
    public static func + (left: Stride, right: Stride) -> Stride {
      Stride(nanoseconds: clamped(left.nanoseconds.addingReportingOverflow(right.nanoseconds)))
    }

    /// Subtracts the second interval from the first, and returns the difference.
    ///
    /// If the difference overflows, it is clamped to the largest or smallest possible interval.
    public static func - (left: Stride, right: Stride) -> Stride {
      Stride(
        nanoseconds: clamped(left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)))
    }

    /// Multiplies two intervals, treating both as numbers of seconds, and returns the product.
    public static func * (left: Stride, right: Stride) -> Stride {
      .seconds(Double(left.nanoseconds) / 1e9 * (Double(right.nanoseconds) / 1e9))
    }

    /// Multiplies an interval by another, treating both as numbers of seconds.
    public static func *= (left: inout Stride, right: Stride) { left = left * right }

    /// Returns an interval of the given number of whole seconds.
    public static func seconds(_ seconds: Int) -> Stride { scaled(seconds, by: 1_000_000_000) }

    /// Returns an interval of the given number of seconds, rounded to the nearest nanosecond.
    public static func seconds(_ seconds: Double) -> Stride {
      let nanoseconds = (seconds * 1e9).rounded()
      return Stride(
        nanoseconds: Int(exactly: nanoseconds)
          ?? (nanoseconds > 0 ? .max : nanoseconds < 0 ? .min : 0))
    }

    /// Returns an interval of the given number of milliseconds.
    public static func milliseconds(_ milliseconds: Int) -> Stride {
      scaled(milliseconds, by: 1_000_000)
    }

    /// Returns an interval of the given number of microseconds.
    public static func microseconds(_ microseconds: Int) -> Stride {
      scaled(microseconds, by: 1000)
    }

    /// Returns an interval of the given number of nanoseconds.
    public static func nanoseconds(_ nanoseconds: Int) -> Stride {
      Stride(nanoseconds: nanoseconds)
    }

    private static func scaled(_ value: Int, by factor: Int) -> Stride {
      let (product, overflow) = value.multipliedReportingOverflow(by: factor)
      return Stride(nanoseconds: overflow ? (value > 0 ? .max : .min) : product)
    }

    private static func clamped(_ result: (partialValue: Int, overflow: Bool)) -> Int {
      // An overflowed result has the wrong sign.
      result.overflow ? (result.partialValue < 0 ? .max : .min) : result.partialValue
    }
  }
}

/// A moment of a scheduler of this module, in nanoseconds since the scheduler's origin.
public struct SchedulerTime: Strideable, InstantProtocol, Hashable, Sendable {
  /// The number of nanoseconds since the origin.
  public let nanoseconds: Int

  /// Creates a moment.
  public init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

  /// The time until another moment.
  public func distance(to other: SchedulerTime) -> Stride {
    Stride(nanoseconds: other.nanoseconds &- nanoseconds)
  }

  /// Returns a later moment.
  public func advanced(by stride: Stride) -> SchedulerTime {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(stride.nanoseconds)
    return SchedulerTime(nanoseconds: overflow ? .max : sum)
  }

  /// Returns a later moment.
  public func advanced(by duration: Duration) -> SchedulerTime {
    advanced(by: Stride(duration))
  }

  /// The time until another moment.
  public func duration(to other: SchedulerTime) -> Duration { distance(to: other).duration }

  /// Returns whether the first moment is earlier.
  public static func < (left: SchedulerTime, right: SchedulerTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The time between two moments; a literal is a number of seconds.
  public struct Stride: SignedNumeric, ExpressibleByFloatLiteral, Comparable, Hashable, Sendable,
    SchedulerTimeIntervalConvertible
  {
    /// The number of nanoseconds.
    public var nanoseconds: Int

    /// Creates a stride.
    public init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

    /// Creates a stride of whole seconds.
    public init(integerLiteral value: Int) { self = .seconds(value) }

    /// Creates a stride of seconds.
    public init(floatLiteral value: Double) { self = .seconds(value) }

    /// Creates a stride of whole seconds, if the number fits.
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let seconds = Int(exactly: source) else { return nil }
      self = .seconds(seconds)
    }

    /// Creates a stride from a duration, rounded to nanoseconds toward zero.
    public init(_ duration: Duration) {
      let (seconds, attoseconds) = duration.components
      self = .seconds(Int(clamping: seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
    }

    /// The stride as a duration.
    public var duration: Duration { .nanoseconds(nanoseconds) }

    /// The absolute value.
    public var magnitude: Stride {
      Stride(nanoseconds: nanoseconds < 0 ? 0 &- nanoseconds : nanoseconds)
    }

    /// Returns whether the first stride is shorter.
    public static func < (left: Stride, right: Stride) -> Bool {
      left.nanoseconds < right.nanoseconds
    }

    /// Adds two strides.
    public static func + (left: Stride, right: Stride) -> Stride {
      Stride(nanoseconds: clamped(left.nanoseconds.addingReportingOverflow(right.nanoseconds)))
    }

    /// Subtracts a stride.
    public static func - (left: Stride, right: Stride) -> Stride {
      Stride(
        nanoseconds: clamped(left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)))
    }

    /// Multiplies by a number of seconds.
    public static func * (left: Stride, right: Stride) -> Stride {
      .seconds(Double(left.nanoseconds) / 1e9 * (Double(right.nanoseconds) / 1e9))
    }

    /// Multiplies by a number of seconds.
    public static func *= (left: inout Stride, right: Stride) { left = left * right }

    /// A number of whole seconds.
    public static func seconds(_ seconds: Int) -> Stride { scaled(seconds, by: 1_000_000_000) }

    /// A number of seconds.
    public static func seconds(_ seconds: Double) -> Stride {
      let nanoseconds = (seconds * 1e9).rounded()
      return Stride(
        nanoseconds: Int(exactly: nanoseconds)
          ?? (nanoseconds > 0 ? .max : nanoseconds < 0 ? .min : 0))
    }

    /// A number of milliseconds.
    public static func milliseconds(_ milliseconds: Int) -> Stride {
      scaled(milliseconds, by: 1_000_000)
    }

    /// A number of microseconds.
    public static func microseconds(_ microseconds: Int) -> Stride {
      scaled(microseconds, by: 1000)
    }

    /// A number of nanoseconds.
    public static func nanoseconds(_ nanoseconds: Int) -> Stride {
      Stride(nanoseconds: nanoseconds)
    }

    private static func scaled(_ value: Int, by factor: Int) -> Stride {
      let (product, overflow) = value.multipliedReportingOverflow(by: factor)
      return Stride(nanoseconds: overflow ? (value > 0 ? .max : .min) : product)
    }

    private static func clamped(_ result: (partialValue: Int, overflow: Bool)) -> Int {
      // A sum that overflows has the wrong sign.
      result.overflow ? (result.partialValue < 0 ? .max : .min) : result.partialValue
    }
  }
}

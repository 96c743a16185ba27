/// A moment of the schedulers of this module, in nanoseconds since a beginning of their own.
public struct SchedulerTime: Strideable, InstantProtocol, Hashable, Sendable {
  /// The nanoseconds since the beginning.
  public let nanoseconds: Int

  /// Creates a moment.
  public init(nanoseconds: Int) {
    self.nanoseconds = nanoseconds
  }

  /// How long it is until another.
  public func distance(to other: SchedulerTime) -> Stride {
    Stride(nanoseconds: other.nanoseconds &- nanoseconds)
  }

  /// A later moment.
  public func advanced(by stride: Stride) -> SchedulerTime {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(stride.nanoseconds)
    return SchedulerTime(nanoseconds: overflow ? .max : sum)
  }

  /// A later moment.
  public func advanced(by duration: Duration) -> SchedulerTime {
    advanced(by: Stride(duration))
  }

  /// How long it is until another.
  public func duration(to other: SchedulerTime) -> Duration { distance(to: other).duration }

  /// Whether the left one is earlier.
  public static func < (left: SchedulerTime, right: SchedulerTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// A span of time between two moments; a number counts as seconds.
  public struct Stride: SignedNumeric, ExpressibleByFloatLiteral, Comparable, Hashable, Sendable,
    SchedulerTimeIntervalConvertible
  {
    /// The span in nanoseconds.
    public var nanoseconds: Int

    /// Creates a span.
    public init(nanoseconds: Int) {
      self.nanoseconds = nanoseconds
    }

    /// Creates a span of whole seconds.
    public init(integerLiteral value: Int) {
      self = .seconds(value)
    }

    /// Creates a span of seconds.
    public init(floatLiteral value: Double) {
      self = .seconds(value)
    }

    /// Creates a span of whole seconds, if there is room for them.
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let seconds = Int(exactly: source) else { return nil }
      self = .seconds(seconds)
    }

    /// Creates a span from a duration; what is less than a nanosecond is lost.
    public init(_ duration: Duration) {
      let (seconds, attoseconds) = duration.components
      self = .seconds(Int(clamping: seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
    }

    /// The span as a duration.
    public var duration: Duration { .nanoseconds(nanoseconds) }

    /// The span without its sign.
    public var magnitude: Stride {
      Stride(nanoseconds: nanoseconds < 0 ? 0 &- nanoseconds : nanoseconds)
    }

    /// Whether the left one is shorter.
    public static func < (left: Stride, right: Stride) -> Bool {
      left.nanoseconds < right.nanoseconds
    }

    /// Adds two spans.
    public static func + (left: Stride, right: Stride) -> Stride {
      Stride(nanoseconds: clamped(left.nanoseconds.addingReportingOverflow(right.nanoseconds)))
    }

    /// Subtracts a span.
    public static func - (left: Stride, right: Stride) -> Stride {
      Stride(
        nanoseconds: clamped(left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)))
    }

    /// Multiplies by a span, counted in seconds.
    public static func * (left: Stride, right: Stride) -> Stride {
      .seconds(Double(left.nanoseconds) / 1e9 * (Double(right.nanoseconds) / 1e9))
    }

    /// Multiplies by a span, counted in seconds.
    public static func *= (left: inout Stride, right: Stride) { left = left * right }

    /// A span of whole seconds.
    public static func seconds(_ seconds: Int) -> Stride { scaled(seconds, by: 1_000_000_000) }

    /// A span of seconds.
    public static func seconds(_ seconds: Double) -> Stride {
      let nanoseconds = (seconds * 1e9).rounded()
      return Stride(
        nanoseconds: Int(exactly: nanoseconds)
          ?? (nanoseconds > 0 ? .max : nanoseconds < 0 ? .min : 0))
    }

    /// A span of milliseconds.
    public static func milliseconds(_ milliseconds: Int) -> Stride {
      scaled(milliseconds, by: 1_000_000)
    }

    /// A span of microseconds.
    public static func microseconds(_ microseconds: Int) -> Stride {
      scaled(microseconds, by: 1000)
    }

    /// A span of nanoseconds.
    public static func nanoseconds(_ nanoseconds: Int) -> Stride {
      Stride(nanoseconds: nanoseconds)
    }

    private static func scaled(_ value: Int, by factor: Int) -> Stride {
      let (product, overflow) = value.multipliedReportingOverflow(by: factor)
      return Stride(nanoseconds: overflow ? (value > 0 ? .max : .min) : product)
    }

    private static func clamped(_ result: (partialValue: Int, overflow: Bool)) -> Int {
      // A sum that overflowed has the wrong sign.
      result.overflow ? (result.partialValue < 0 ? .max : .min) : result.partialValue
    }
  }
}

internal import Foundation

/// When a call is tried again, and after how long.
///
/// A call is tried again when the server cannot be reached, when the connection is lost, when no
/// response comes in time, and for the statuses 408, 429, 500, 502, 503 and 504.
public struct EndpointRetry: Hashable, Sendable {
  /// How many times a request is sent at most.
  public var attempts: Int
  /// The wait after the first attempt; it doubles with each further one.
  public var first: Duration
  /// The longest wait.
  public var longest: Duration
  /// By which factor a wait is shortened at random, so that many clients do not come back at once.
  public var jitter: ClosedRange<Double>
  /// The longest wait that a server may ask for with `Retry-After`; if it asks for more, the call
  /// fails at once.
  public var longestAsked: Duration
  /// Whether requests are sent again that are not idempotent, such as POST.
  public var everyMethod: Bool

  /// Creates rules.
  ///
  /// - Parameters:
  ///   - attempts: How many times a request is sent at most.
  ///   - first: The wait after the first attempt.
  ///   - longest: The longest wait.
  ///   - jitter: By which factor a wait is shortened at random.
  ///   - longestAsked: The longest wait that a server may ask for.
  ///   - everyMethod: Whether requests are sent again that are not idempotent.
  public init(
    attempts: Int = 3, first: Duration = .milliseconds(500), longest: Duration = .seconds(30),
    jitter: ClosedRange<Double> = 0.5...1, longestAsked: Duration = .seconds(60),
    everyMethod: Bool = false
  ) {
    self.attempts = attempts
    self.first = first
    self.longest = longest
    self.jitter = jitter
    self.longestAsked = longestAsked
    self.everyMethod = everyMethod
  }

  /// Three attempts, with waits of half a second and a second.
  public static let standard = EndpointRetry()
  /// One attempt.
  public static let never = EndpointRetry(attempts: 1)

  private static let codes: Set<EndpointError.Code> = [.unreachable, .connectionLost, .timedOut]
  private static let statuses: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// How long to wait before the next attempt, or `nil` when there is none.
  func wait(after error: EndpointError, method: HTTPMethod) -> Duration? {
    guard error.attempts < attempts, method.isIdempotent || everyMethod else { return nil }
    if error.code == .status {
      guard let status = error.status, Self.statuses.contains(status) else { return nil }
      if let asked = RetryAfter.duration(in: error.headers) {
        return asked <= longestAsked ? asked : nil
      }
    } else if !Self.codes.contains(error.code) {
      return nil
    }
    let doubled = first * (1 << min(error.attempts - 1, 20))
    return min(doubled, longest) * Double.random(in: jitter)
  }
}

/// The time after which a server wants to be asked again.
enum RetryAfter {
  /// Reads the field of a response; `nil` when there is none, or it says nothing.
  ///
  /// A date is compared with the server's own clock, if the response shows it.
  static func duration(in headers: HTTPHeaders, now: Date = Date()) -> Duration? {
    guard let text = headers["Retry-After"]?.trimmingCharacters(in: .whitespaces) else {
      return nil
    }
    if !text.isEmpty, text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) {
      return .seconds(UInt32(text) ?? .max)
    }
    guard let date = date(text) else { return nil }
    let base = headers["Date"].flatMap(Self.date) ?? now
    return .seconds(max(0, date.timeIntervalSince(base).rounded(.up)))
  }

  /// Reads a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func date(_ text: String) -> Date? {
    guard text.utf8.count < 64 else { return nil }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return formatter.date(from: text)
  }
}

/// How much a call may take.
public struct EndpointLimits: Hashable, Sendable {
  /// How long to wait for the header of a response, from the moment a request is sent.
  ///
  /// It covers the wait for a connection, the search for the host and the connection.
  public var response: Duration
  /// How long a call may take as a whole, with all attempts and the waits between them.
  public var whole: Duration
  /// The most bytes that a response's body may have, unpacked.
  public var bytes: Int
  /// How many redirects are followed.
  public var redirects: Int

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - response: How long to wait for the header of a response.
  ///   - whole: How long a call may take as a whole.
  ///   - bytes: The most bytes that a response's body may have.
  ///   - redirects: How many redirects are followed.
  public init(
    response: Duration = .seconds(30), whole: Duration = .seconds(120), bytes: Int = 16_777_216,
    redirects: Int = 5
  ) {
    self.response = response
    self.whole = whole
    self.bytes = bytes
    self.redirects = redirects
  }

  /// 30 seconds for a response, two minutes as a whole, 16 MiB and five redirects.
  public static let standard = EndpointLimits()
}

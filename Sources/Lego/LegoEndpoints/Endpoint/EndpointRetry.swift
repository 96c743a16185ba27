internal import Foundation

/// The rules for repeating a call.
///
/// A call is repeated if the server cannot be reached, if the connection is lost, if no response
/// arrives in time, and for the status codes 408, 429, 500, 502, 503 and 504.
public struct EndpointRetry: Hashable, Sendable {
  /// The maximum number of attempts.
  public var attempts: Int
  /// The delay after the first attempt.
  ///
  /// It doubles with each further one.
  public var first: Duration
  /// The maximum delay.
  public var longest: Duration
  /// The range of the random factor that shortens each delay, so that clients do not repeat their
  /// calls at the same time.
  public var jitter: ClosedRange<Double>
  /// The maximum delay that a server may request with `Retry-After`.
  ///
  /// If it requests more, the call fails at once.
  public var longestAsked: Duration
  /// `true` to repeat requests that are not idempotent as well, such as POST.
  public var everyMethod: Bool

  /// Creates rules.
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of attempts.
  ///   - first: The delay after the first attempt.
  ///   - longest: The maximum delay.
  ///   - jitter: The range of the random factor that shortens each delay.
  ///   - longestAsked: The maximum delay that a server may request.
  ///   - everyMethod: `true` to repeat requests that are not idempotent as well.
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

  /// Three attempts, with delays of half a second and one second.
  public static let standard = EndpointRetry()
  /// One attempt.
  public static let never = EndpointRetry(attempts: 1)

  private static let codes: Set<EndpointError.Code> = [.unreachable, .connectionLost, .timedOut]
  private static let statuses: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// The delay before the next attempt; `nil` if there is no further attempt.
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

/// Parses the header field `Retry-After`.
enum RetryAfter {
  /// The requested delay of a response; `nil` if the field is missing or not valid.
  ///
  /// A date is relative to the `Date` field of the response, or to `now` without that field.
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

  /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func date(_ text: String) -> Date? {
    guard text.utf8.count < 64 else { return nil }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return formatter.date(from: text)
  }
}

/// The limits of a call.
public struct EndpointLimits: Hashable, Sendable {
  /// The time limit for the header of a response, from the start of the request.
  ///
  /// It includes waiting for a connection, resolving the host name and connecting.
  public var response: Duration
  /// The time limit for the whole call, with all attempts and delays.
  public var whole: Duration
  /// The maximum size of the response body in bytes, after decompression.
  public var bytes: Int
  /// The maximum number of redirects.
  public var redirects: Int

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - response: The time limit for the header of a response.
  ///   - whole: The time limit for the whole call.
  ///   - bytes: The maximum size of the response body in bytes.
  ///   - redirects: The maximum number of redirects.
  public init(
    response: Duration = .seconds(30), whole: Duration = .seconds(120), bytes: Int = 16_777_216,
    redirects: Int = 5
  ) {
    self.response = response
    self.whole = whole
    self.bytes = bytes
    self.redirects = redirects
  }

  /// 30 seconds for a response, two minutes for a call, 16 MiB and five redirects.
  public static let standard = EndpointLimits()
}

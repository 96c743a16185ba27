internal import Foundation

/// The rules for retrying a call.
///
/// A call is retried if the server cannot be reached, if the connection is lost, if no response
/// arrives in time, or if the status code is 408, 429, 500, 502, 503 or 504. Unless ``everyMethod``
/// is `true`, only requests with an idempotent method are retried.
public struct EndpointRetry: Hashable, Sendable {
  /// The maximum number of attempts, including the first one.
  public var attempts: Int
  /// The delay after the first attempt.
  ///
  /// The delay doubles after each further attempt.
  public var first: Duration
  /// The maximum delay.
  ///
  /// It does not limit a delay that the server requests.
  public var longest: Duration
  /// The range of the random factor that each delay is multiplied by.
  ///
  /// The factor keeps clients from retrying at the same time.
  public var jitter: ClosedRange<Double>
  /// The maximum delay that a server may request with `Retry-After`.
  ///
  /// If the server requests a longer delay, the call fails immediately.
  public var longestAsked: Duration
  /// A Boolean value that indicates whether requests that are not idempotent, such as POST
  /// requests, are also retried.
  public var everyMethod: Bool

  /// Creates rules for retrying a call.
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of attempts, including the first one.
  ///   - first: The delay after the first attempt.
  ///   - longest: The maximum delay.
  ///   - jitter: The range of the random factor that each delay is multiplied by.
  ///   - longestAsked: The maximum delay that a server may request.
  ///   - everyMethod: Pass `true` to also retry requests that are not idempotent.
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

  /// The default rules: three attempts, with delays of up to half a second and up to one second.
  public static let standard = EndpointRetry()
  /// Rules that allow only one attempt.
  public static let never = EndpointRetry(attempts: 1)

  private static let codes: Set<EndpointError.Code> = [.unreachable, .connectionLost, .timedOut]
  private static let statuses: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// Returns the delay before the next attempt, or `nil` if the call must not be retried.
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
  /// Returns the delay that a response requests, or `nil` if the field is missing or not valid.
  ///
  /// A date is relative to the `Date` field of the response or, without that field, to `now`.
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

/// The limits that apply to a call.
public struct EndpointLimits: Hashable, Sendable {
  /// The maximum time from the start of a request until the header of its response has arrived.
  ///
  /// This includes waiting for a connection, resolving the host name and connecting.
  public var response: Duration
  /// The maximum duration of a call, including all attempts and the delays between them.
  public var whole: Duration
  /// The maximum size of the response body in bytes, after decompression.
  public var bytes: Int
  /// The maximum number of redirects that are followed.
  public var redirects: Int

  /// Creates limits for a call.
  ///
  /// - Parameters:
  ///   - response: The maximum time until the header of a response has arrived.
  ///   - whole: The maximum duration of a call.
  ///   - bytes: The maximum size of the response body in bytes, after decompression.
  ///   - redirects: The maximum number of redirects that are followed.
  public init(
    response: Duration = .seconds(30), whole: Duration = .seconds(120), bytes: Int = 16_777_216,
    redirects: Int = 5
  ) {
    self.response = response
    self.whole = whole
    self.bytes = bytes
    self.redirects = redirects
  }

  /// The default limits: 30 seconds for a response, two minutes for a call, 16 MiB for a body, and
  /// five redirects.
  public static let standard = EndpointLimits()
}

internal import Foundation

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

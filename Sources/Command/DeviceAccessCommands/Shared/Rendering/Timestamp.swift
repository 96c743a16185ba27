internal import Glibc

/// A point in time with millisecond precision.
struct Timestamp: Hashable, Sendable {
  /// The number of milliseconds since the epoch.
  let milliseconds: Int64

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Creates a timestamp from the number of seconds since the epoch.
  ///
  /// The value is clamped to the years 1 to 9999, which RFC 3339 supports.
  init(seconds: Int64) {
    milliseconds = min(max(seconds, -62_135_596_800), 253_402_300_799) * 1000
  }

  /// The current time.
  static var now: Timestamp {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else {
      return Timestamp(milliseconds: 0)
    }
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// The time in UTC in the format of RFC 3339, such as `2026-02-28T23:59:59.999Z`.
  var text: String {
    let days = Self.floor(milliseconds, 86_400_000)
    let rest = milliseconds - days * 86_400_000
    var text: [UInt8] = []
    text.reserveCapacity(24)
    Self.writeDate(days, "T", to: &text)
    Self.writeTime(rest, ".", to: &text)
    Self.write(rest % 1000, 3, "Z", to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the local time, such as `23:59:59`, with the date if it is not the date of `now`.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - offset: Returns the number of seconds that local time is ahead of UTC at a given time.
  /// - Returns: The formatted time.
  func localText(
    now: Timestamp = .now, offset: (Timestamp) -> Int64 = Timestamp.localOffset
  ) -> String {
    let local = milliseconds + offset(self) * 1000
    let days = Self.floor(local, 86_400_000)
    var text: [UInt8] = []
    if days != Self.floor(now.milliseconds + offset(now) * 1000, 86_400_000) {
      Self.writeDate(days, " ", to: &text)
    }
    Self.writeTime(local - days * 86_400_000, nil, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the number of seconds that local time is ahead of UTC at a given time.
  static func localOffset(_ moment: Timestamp) -> Int64 {
    var seconds = time_t(floor(moment.milliseconds, 1000))
    var local = unsafe tm()
    guard unsafe localtime_r(&seconds, &local) != nil else { return 0 }
    return unsafe Int64(local.tm_gmtoff)
  }

  private static func writeDate(_ days: Int64, _ end: Unicode.Scalar, to text: inout [UInt8]) {
    let (year, month, day) = date(days)
    write(year, 4, "-", to: &text)
    write(month, 2, "-", to: &text)
    write(day, 2, end, to: &text)
  }

  private static func writeTime(
    _ milliseconds: Int64, _ end: Unicode.Scalar?, to text: inout [UInt8]
  ) {
    write(milliseconds / 3_600_000, 2, ":", to: &text)
    write(milliseconds / 60_000 % 60, 2, ":", to: &text)
    write(milliseconds / 1000 % 60, 2, end, to: &text)
  }

  /// Converts a number of days since 1970-01-01 to a date of the Gregorian calendar.
  private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // If a year starts in March, its leap day is the last day. Every era of 400 years is the same.
    let shifted = days + 719_468
    let era = floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : (value - divisor + 1) / divisor
  }

  /// Appends a number, padded with zeros to `count` digits, and an optional separator.
  private static func write(
    _ value: Int64, _ count: Int, _ end: Unicode.Scalar?, to text: inout [UInt8]
  ) {
    let digits = String(value).utf8
    for _ in 0..<max(count - digits.count, 0) { text.append(UInt8(ascii: "0")) }
    text.append(contentsOf: digits)
    if let end { text.append(UInt8(ascii: end)) }
  }
}

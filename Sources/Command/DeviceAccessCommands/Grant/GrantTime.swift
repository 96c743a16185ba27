internal import AccessModel
internal import DevicePermissions

/// Parses and formats time spans in the syntax of systemd.time(7), such as `90` or `1h 30min`.
enum GrantTime {
  /// The names of each unit, and its length in seconds.
  private static let units: [(names: [String], seconds: Int64)] = [
    (["s", "sec", "second", "seconds"], 1), (["m", "min", "minute", "minutes"], 60),
    (["h", "hr", "hour", "hours"], 3_600), (["d", "day", "days"], 86_400),
    (["w", "week", "weeks"], 604_800),
  ]

  /// Parses the value of `--for`.
  ///
  /// - Throws: ``UsageError`` if the value is not a time span from one second to thirty days.
  /// - Returns: The number of seconds.
  static func seconds(_ text: String) throws(UsageError) -> Int64 {
    guard let seconds = parse(text), (1...GrantRequest.longest).contains(seconds) else {
      throw UsageError(
        "--for takes a time from 1s to 30d, such as 10min or '1h 30min', not "
          + "'\(Escaped(text, limit: 80))'",
        command: .grant)
    }
    return seconds
  }

  private static func parse(_ text: String) -> Int64? {
    guard text.utf8.count <= 64 else { return nil }
    var rest = text.utf8[...]
    var total: Int64 = 0
    while true {
      rest = rest.drop { $0 == UInt8(ascii: " ") }
      guard !rest.isEmpty else { return text.isEmpty ? nil : total }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(digits.count).drop { $0 == UInt8(ascii: " ") }
      let name = rest.prefix { !(0x30...0x39).contains($0) && $0 != UInt8(ascii: " ") }
      rest = rest.dropFirst(name.count)
      guard let number = Int64(String(Substring(digits))),
        let unit = name.isEmpty ? 1 : unit(String(Substring(name)))
      else { return nil }
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: unit)
      // The bound exceeds every valid value and keeps the sum from overflowing.
      guard !isTooLarge, product <= 1 << 40 else { return nil }
      total += product
    }
  }

  private static func unit(_ name: String) -> Int64? {
    units.first { $0.names.contains(name) }?.seconds
  }

  /// Formats a number of seconds in the largest possible units, such as `1 h 30 min`.
  static func text(_ seconds: Int64) -> String {
    var rest = seconds
    var parts: [String] = []
    for (name, size) in [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)] as [(String, Int64)]
    where rest >= size {
      parts.append("\(rest / size) \(name)")
      rest %= size
    }
    return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
  }
}

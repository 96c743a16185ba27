internal import AccessModel
internal import DevicePermissions

/// A span of time as systemd.time(7) writes it: `90`, `10min`, `1h 30min`.
enum GrantTime {
  /// Seconds of each unit.
  private static let units: [(names: [String], seconds: Int64)] = [
    (["s", "sec", "second", "seconds"], 1), (["m", "min", "minute", "minutes"], 60),
    (["h", "hr", "hour", "hours"], 3_600), (["d", "day", "days"], 86_400),
    (["w", "week", "weeks"], 604_800),
  ]

  /// Understands the value of `--for`.
  ///
  /// - Throws: ``UsageError`` for anything but a time from a second to thirty days.
  /// - Returns: Seconds.
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
      // Enough for any time that is taken, so that nothing overflows.
      guard !isTooLarge, product <= 1 << 40 else { return nil }
      total += product
    }
  }

  private static func unit(_ name: String) -> Int64? {
    units.first { $0.names.contains(name) }?.seconds
  }

  /// A number of seconds in the largest units, such as `1 h 30 min`.
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

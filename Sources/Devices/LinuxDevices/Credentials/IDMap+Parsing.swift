internal import AccessModel

extension IDMap {
  /// Parses `/proc/PID/uid_map` or `gid_map` (user_namespaces(7)); `nil` if a line is malformed.
  init?(parsing bytes: [UInt8]) {
    var ranges: [Range] = []
    for line in ByteScanner.split(bytes[...], at: ByteScanner.newline) {
      let words = ByteScanner.words(line)
      if words.isEmpty { continue }
      let numbers = words.compactMap(ByteScanner.number)
      // The kernel accepts at most 340 lines, and no range that overflows.
      guard words.count == 3, numbers.count == 3, numbers[2] > 0, ranges.count < 340,
        !numbers[0].addingReportingOverflow(numbers[2]).overflow,
        !numbers[1].addingReportingOverflow(numbers[2]).overflow
      else { return nil }
      ranges.append(Range(inside: numbers[0], outside: numbers[1], length: numbers[2]))
    }
    self.init(ranges)
  }

  /// A Boolean value that indicates whether every ID maps to itself, as in the initial namespace.
  var isIdentity: Bool {
    ranges == [Range(inside: 0, outside: 0, length: .max)]
  }
}

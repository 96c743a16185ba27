internal import AccessModel

extension IDMap {
  /// Reads `/proc/PID/uid_map` or `gid_map` (user_namespaces(7)); `nil` when a line is malformed.
  init?(parsing bytes: [UInt8]) {
    var ranges: [Range] = []
    for line in ByteScanner.split(bytes[...], at: ByteScanner.newline) {
      let words = ByteScanner.words(line)
      if words.isEmpty { continue }
      let numbers = words.compactMap(ByteScanner.number)
      // The kernel takes at most 340 lines and no range that wraps around.
      guard words.count == 3, numbers.count == 3, numbers[2] > 0, ranges.count < 340,
        !numbers[0].addingReportingOverflow(numbers[2]).overflow,
        !numbers[1].addingReportingOverflow(numbers[2]).overflow
      else { return nil }
      ranges.append(Range(inside: numbers[0], outside: numbers[1], length: numbers[2]))
    }
    self.init(ranges)
  }

  /// Whether every identifier stands for itself, as in the initial user namespace.
  var isIdentity: Bool {
    ranges == [Range(inside: 0, outside: 0, length: .max)]
  }
}

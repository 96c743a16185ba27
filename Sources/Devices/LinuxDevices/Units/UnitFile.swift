/// The assignments of a unit file or drop-in in their order (systemd.syntax(7)).
///
/// Parsing only needs the bytes and never fails. A line that is not an assignment is counted and
/// ignored, as systemd does.
struct UnitFile: Hashable, Sendable {
  /// A `Key=value` line, joined with its continuation lines.
  struct Assignment: Hashable, Sendable {
    var section: String
    var key: String
    /// The value without surrounding whitespace, with quotes and escapes still in it.
    var value: String
  }

  private(set) var assignments: [Assignment] = []
  /// The number of lines that are not a section, an assignment, a comment or blank, or are not
  /// UTF-8.
  private(set) var malformedLines = 0
  /// A Boolean value that indicates whether the file has more assignments than are kept.
  private(set) var isTruncated = false

  /// The maximum number of bytes to read from a file.
  static let limit = 1 << 20
  private static let mostAssignments = 16_384

  init(parsing bytes: [UInt8]) {
    var section = ""
    // The start of a continued line. It is extended in place, because a file may consist of one
    // such line.
    var pending: [UInt8] = []
    for line in ByteScanner.split(bytes[...], at: ByteScanner.newline) {
      let part = (line.last == UInt8(ascii: "\r") ? line.dropLast() : line).drop(
        while: Self.isBlank)
      // Comments between the lines of an assignment do not end it.
      if let first = part.first, first == UInt8(ascii: "#") || first == UInt8(ascii: ";") {
        continue
      }
      // The backslash is replaced by a space.
      if Self.isContinued(part) {
        pending += part.dropLast()
        pending.append(ByteScanner.space)
        continue
      }
      pending += part
      take(Self.trimmed(pending[...]), &section)
      pending.removeAll(keepingCapacity: true)
    }
    take(Self.trimmed(pending[...]), &section)
  }

  private mutating func take(_ line: ArraySlice<UInt8>, _ section: inout String) {
    guard let first = line.first else { return }
    guard assignments.count < Self.mostAssignments else {
      isTruncated = true
      return
    }
    if first == UInt8(ascii: "["), line.last == UInt8(ascii: "]") {
      section = String(repairing: line.dropFirst().dropLast(), limit: 256)
      return
    }
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > line.startIndex,
      let key = String(validating: Self.trimmed(line[..<equals]), as: UTF8.self),
      let value = String(validating: Self.trimmed(line[(equals + 1)...]), as: UTF8.self),
      !section.isEmpty, !value.utf8.contains(0)
    else {
      malformedLines += 1
      return
    }
    assignments.append(Assignment(section: section, key: key, value: value))
  }

  /// Returns whether a line ends with a backslash that is not escaped itself.
  private static func isContinued(_ line: ArraySlice<UInt8>) -> Bool {
    line.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == ByteScanner.space || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}

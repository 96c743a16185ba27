/// Splits a file into lines as udevd does: comments are skipped, and continued lines are joined.
package struct UdevRuleLineReader {
  /// A range of bytes that contains a line.
  ///
  /// The bytes are those of the file, unless the line was continued.
  package struct Line {
    package let bytes: [UInt8]
    package let range: Range<Int>
    /// The lines of the file that the line spans, counted from 1.
    package let numbers: ClosedRange<Int>

    /// The bytes of only this line.
    package var text: [UInt8] { Array(bytes[range]) }
  }

  package enum Item {
    case line(Line)
    case problem(UdevRuleProblem.Code, line: Int)
  }

  /// The length that every line must be shorter than; the C constant is `UDEV_LINE_SIZE`.
  package static let limit = 16384

  private let bytes: [UInt8]
  private var position = 0
  private var number = 0
  private var isBroken = false

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the next line that is not a comment; `nil` at the end of the file, or where udevd
  /// stops reading.
  package mutating func next() -> Item? {
    var joined: [UInt8]?
    var first = 0
    var isTooLong = false
    while !isBroken, position < bytes.count {
      guard let range = nextRange() else {
        isBroken = true
        return .problem(.lineTooLong, line: number)
      }
      if joined == nil { first = number }
      var start = range.lowerBound
      while start < range.upperBound, bytes[start].isBlank { start += 1 }
      if start < range.upperBound, bytes[start] == UInt8(ascii: "#") { continue }
      var end = range.upperBound
      let isContinued: Bool
      if joined != nil, !isTooLong {
        joined?.append(contentsOf: bytes[start..<end])
        isTooLong = (joined?.count ?? 0) >= Self.limit
      }
      if let whole = joined, !isTooLong {
        isContinued = whole.last == .backslash
        if isContinued { joined?.removeLast() }
      } else {
        isContinued = start < end && bytes[end - 1] == .backslash
        if isContinued, joined == nil {
          end -= 1
          joined = Array(bytes[start..<end])
        }
      }
      if isContinued { continue }
      if isTooLong { return .problem(.continuationTooLong, line: first) }
      if let whole = joined {
        joined = nil
        if !whole.isEmpty {
          return .line(Line(bytes: whole, range: whole.indices, numbers: first...number))
        }
      } else if start < end {
        return .line(Line(bytes: bytes, range: start..<end, numbers: first...number))
      }
    }
    return joined == nil ? nil : .problem(.unfinishedContinuation, line: first)
  }

  /// Returns the range of the next line without its line end; `nil` if the line is too long.
  private mutating func nextRange() -> Range<Int>? {
    number += 1
    let start = position
    var end = start
    while end < bytes.count, !bytes[end].isLineEnd { end += 1 }
    guard end - start < Self.limit else { return nil }
    // Consecutive line end characters of different kinds form one line end. A zero byte completes
    // it.
    var seen: UInt8 = 0
    position = end
    while position < bytes.count, seen & 1 == 0 {
      let kind = Self.lineEnd(bytes[position])
      if kind == 0 || seen & kind != 0 { break }
      seen |= kind
      position += 1
    }
    return start..<end
  }

  private static func lineEnd(_ byte: UInt8) -> UInt8 {
    byte == 0 ? 1 : byte == 10 ? 2 : byte == 13 ? 4 : 0
  }
}

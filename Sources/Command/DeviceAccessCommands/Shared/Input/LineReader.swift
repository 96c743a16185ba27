internal import Glibc

/// Reads the lines of an input one at a time, in bounded memory.
struct LineReader: ~Copyable {
  /// A line without its newline, or a placeholder for a line that exceeds the limit.
  enum Line: Equatable {
    case text([UInt8])
    case tooLong

    /// A Boolean value that indicates whether the line contains only JSON whitespace (RFC 8259).
    var isBlank: Bool {
      guard case .text(let bytes) = self else { return false }
      return bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
  }

  /// The default maximum length of a line, in bytes.
  static let limit = 4 << 20
  /// The maximum number of bytes to skip to find the end of a longer line.
  private static let mostSkipped = 64 << 20

  private var input: InputFile
  private let limit: Int
  private var buffer: [UInt8] = []
  /// The index of the first unread byte in the buffer.
  private var start = 0
  /// The index up to which the unread bytes are known to contain no newline.
  private var scanned = 0
  private var isAtEnd = false

  init(_ input: consuming InputFile, limit: Int = LineReader.limit) {
    self.input = input
    self.limit = limit
  }

  /// A Boolean value that indicates whether another line is available without reading from the
  /// input.
  var hasBufferedLine: Bool {
    lineEnd(from: start) != nil
  }

  /// Returns the index of the next newline in the buffer.
  ///
  /// It uses memchr(3), because a line can be several megabytes long.
  private func lineEnd(from start: Int) -> Int? {
    guard start < buffer.count else { return nil }
    return unsafe buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let end = unsafe memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(end) - base
    }
  }

  /// Returns the next line; `nil` after the last one, which may lack a newline.
  ///
  /// - Throws: ``InputError`` if reading fails, or if a line is too long to skip.
  mutating func next() throws(InputError) -> Line? {
    var isTooLong = false
    var skipped = 0
    while true {
      if let end = lineEnd(from: scanned) {
        let line = Array(buffer[start..<end])
        start = end + 1
        scanned = start
        return isTooLong || line.count > limit ? .tooLong : .text(line)
      }
      if isTooLong || buffer.count - start > limit {
        isTooLong = true
        skipped += buffer.count - start
        start = buffer.count
        guard skipped <= limit + Self.mostSkipped else {
          throw InputError("a line of \(input.name) is longer than \(skipped >> 20) MiB")
        }
      }
      buffer.removeFirst(start)
      start = 0
      scanned = buffer.count
      if isAtEnd {
        let line = buffer
        buffer.removeAll()
        scanned = 0
        if isTooLong { return .tooLong }
        return line.isEmpty ? nil : .text(line)
      }
      isAtEnd = try !input.read(64 * 1024, appendingTo: &buffer)
    }
  }
}

internal import Glibc

/// The lines of an input, one at a time, in bounded memory.
struct LineReader: ~Copyable {
  /// A line without its end, or the length of one that was too long to keep.
  enum Line: Equatable {
    case text([UInt8])
    case tooLong

    /// Whether it holds nothing but the white space of JSON (RFC 8259, section 2).
    var isBlank: Bool {
      guard case .text(let bytes) = self else { return false }
      return bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
  }

  /// The longest line that is kept.
  static let limit = 4 << 20
  /// How much of a longer line is passed over to find the next one.
  private static let mostSkipped = 64 << 20

  private var input: InputFile
  private let limit: Int
  private var buffer: [UInt8] = []
  /// Where the unread part of the buffer begins.
  private var start = 0
  /// Up to where the unread part is known to hold no line end.
  private var scanned = 0
  private var isAtEnd = false

  init(_ input: consuming InputFile, limit: Int = LineReader.limit) {
    self.input = input
    self.limit = limit
  }

  /// Whether another line can be had without reading: a moment to show what is finished.
  var hasBufferedLine: Bool {
    lineEnd(from: start) != nil
  }

  /// The index of the next line end in the buffer, by memchr(3): a line may have many megabytes.
  private func lineEnd(from start: Int) -> Int? {
    guard start < buffer.count else { return nil }
    return unsafe buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let end = unsafe memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(end) - base
    }
  }

  /// The next line; `nil` after the last one, which needs no line end.
  ///
  /// - Throws: ``InputError`` when reading fails, and for a line that has no end within reach.
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

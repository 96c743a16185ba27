internal import AccessModel

/// Reads snapshots from a file, which contains either one document or a stream with one per line.
///
/// At most one document is in memory at a time.
struct SnapshotReader: ~Copyable {
  /// A snapshot, or the reason why a document is not a valid snapshot.
  struct Document {
    /// The line number in a stream, starting at 1; `nil` if the file contains a single document.
    var line: Int?
    var facts: Result<AccessFacts, InputError>
  }

  /// The maximum size of a document, in bytes.
  static let limit = SnapshotFile.limit

  private let name: String
  private var lines: LineReader
  private var number = 0
  private var isStream: Bool?

  init(_ file: consuming InputFile) {
    name = file.name
    lines = LineReader(file, limit: Self.limit)
  }

  /// Returns the next document; `nil` at the end of the file.
  ///
  /// If the first line that is not blank contains a complete value, every line is a document.
  /// Otherwise the whole file is one document.
  ///
  /// - Throws: ``InputError`` if the file cannot be read.
  mutating func next() throws(InputError) -> Document? {
    while let line = try lines.next() {
      number += 1
      guard case .text(let bytes) = line else { return document(.failure(tooLong)) }
      guard !line.isBlank else { continue }
      if isStream == nil {
        isStream = Self.isComplete(bytes)
        if isStream == false { return try wholeDocument(beginningWith: bytes) }
      }
      return document(SnapshotFile.decode(bytes, name: name))
    }
    guard isStream == nil else { return nil }
    isStream = false
    return document(SnapshotFile.decode([], name: name))
  }

  private var tooLong: InputError {
    InputError("\(name) has more than \(Self.limit >> 20) MiB for one snapshot")
  }

  private func document(_ facts: Result<AccessFacts, InputError>) -> Document {
    Document(line: isStream == true ? number : nil, facts: facts)
  }

  private mutating func wholeDocument(
    beginningWith first: [UInt8]
  ) throws(InputError) -> Document {
    var bytes = first
    while let line = try lines.next() {
      guard case .text(let more) = line, bytes.count + more.count < Self.limit else {
        return document(.failure(tooLong))
      }
      bytes.append(UInt8(ascii: "\n"))
      bytes += more
    }
    return document(SnapshotFile.decode(bytes, name: name))
  }

  /// Returns whether a line closes all brackets and strings that it opens.
  ///
  /// Such a line is a complete value, or is invalid whatever follows it.
  static func isComplete(_ line: [UInt8]) -> Bool {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in line {
      if isEscaped {
        isEscaped = false
      } else if isInString {
        isEscaped = byte == UInt8(ascii: "\\")
        isInString = byte != UInt8(ascii: "\"")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
      }
    }
    return depth <= 0 && !isInString
  }
}

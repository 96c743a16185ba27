internal import AccessModel

/// Reads snapshots from a file: one that may span many lines, or a stream of them, one a line.
///
/// No more than one document is held at a time.
struct SnapshotReader: ~Copyable {
  /// One document, or why it is none.
  struct Document {
    /// The number of its line in a stream, from 1; `nil` for a document that stands alone.
    var line: Int?
    var facts: Result<AccessFacts, InputError>
  }

  /// The longest document, in bytes.
  static let limit = SnapshotFile.limit

  private let name: String
  private var lines: LineReader
  private var number = 0
  private var isStream: Bool?

  init(_ file: consuming InputFile) {
    name = file.name
    lines = LineReader(file, limit: Self.limit)
  }

  /// The next document; `nil` at the end.
  ///
  /// The first line decides: a value that ends where the line ends is a document, and so is each
  /// line after it. Otherwise everything together is one document.
  ///
  /// - Throws: ``InputError`` when the file cannot be read.
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

  /// Whether the brackets that a line opens are closed in it: then it is a value by itself, or
  /// nothing that further lines could mend.
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

internal import AccessModel
internal import Glibc
internal import JSONText

/// Decodes and writes snapshot files, whose contents are not trusted.
enum SnapshotFile {
  /// The maximum size of a snapshot, in bytes.
  static let limit = 64 << 20

  /// Decodes a snapshot; fails if the bytes are not a snapshot of a supported version.
  static func decode(_ bytes: [UInt8], name: String) -> Result<AccessFacts, InputError> {
    do {
      return .success(try JSONReader.decode(SnapshotDocument.self, from: bytes).facts)
    } catch {
      guard let format = ForeignInput.description(of: bytes, readsCases: false) else {
        return .failure(InputError("\(name) is not a valid snapshot: \(problem(error))"))
      }
      var failure = InputError("\(name) is \(format), not a snapshot")
      failure.isOtherFormat = true
      return .failure(failure)
    }
  }

  /// Writes snapshots to a file, and replaces its previous contents.
  ///
  /// Only the owner can read a new file, because a snapshot contains information about the programs
  /// and files of other users. If the disk is full, the previous contents are kept.
  ///
  /// - Parameters:
  ///   - text: The snapshots.
  ///   - path: The path of the file.
  /// - Throws: ``CommandFailure``.
  static func write(_ text: String, to path: String) throws {
    let name = Escaped(path).description
    // Without O_NONBLOCK, opening a FIFO would wait for its reader.
    let descriptor = unsafe open(
      ByteText(path).cString, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw failure(.failed(Errno(rawValue: errno)), name)
    }
    do throws(OutputError) {
      try replaceContents(of: descriptor, with: text)
    } catch {
      close(descriptor)
      throw failure(error, name)
    }
    // Some errors, such as a full disk on a file server, are reported only by close(2).
    guard close(descriptor) == 0 else { throw failure(.failed(Errno(rawValue: errno)), name) }
  }

  private static func replaceContents(
    of descriptor: Int32, with text: String
  ) throws(OutputError) {
    var status = stat()
    let isFile =
      unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let size = off_t(text.utf8.count)
    // Allocate the space first: on a full disk, truncated contents could not be restored.
    if isFile {
      let error = Errno(rawValue: posix_fallocate(descriptor, 0, size))
      // Ignore other errors, because not every filesystem supports the call. Writing reports them.
      if [.noSpace, .overQuota, .fileTooLarge].contains(error) {
        ftruncate(descriptor, status.st_size)
        throw .failed(error)
      }
    }
    try DescriptorSink(descriptor).write(text)
    if isFile, ftruncate(descriptor, size) != 0 { throw .failed(Errno(rawValue: errno)) }
  }

  private static func failure(_ error: OutputError, _ name: String) -> CommandFailure {
    let error = if case .failed(let error) = error { error } else { Errno.brokenPipe }
    return CommandFailure("cannot write \(name): \(error.clause)", .internalError)
  }

  /// Describes a decoding error as one clause without untrusted bytes.
  static func problem(_ error: any Error) -> String {
    Escaped(JSONProblem(error).description, limit: 512).description
  }
}

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

/// The input of `--from`: a snapshot, or the output of `devaccess snapshot --json`, which contains
/// one.
struct SnapshotDocument: Decodable {
  let facts: AccessFacts

  private enum CodingKeys: String, CodingKey {
    case schema, snapshot
  }

  init(from decoder: any Decoder) throws {
    guard let object = try? decoder.container(keyedBy: CodingKeys.self), object.contains(.snapshot),
      (try? object.decode(String.self, forKey: .schema)) == Schema.name
    else {
      facts = try AccessFacts(from: decoder)
      return
    }
    facts = try object.decode(AccessFacts.self, forKey: .snapshot)
  }
}

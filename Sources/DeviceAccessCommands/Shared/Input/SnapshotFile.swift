internal import AccessModel
internal import Glibc
internal import JSONText

/// Snapshots on disk: facts as JSON, from anyone.
enum SnapshotFile {
  /// The most bytes that a snapshot may have.
  static let limit = 64 << 20

  /// Decodes a snapshot; it fails for what is none, or of a version that is not known.
  static func decode(_ bytes: [UInt8], name: String) -> Result<AccessFacts, InputError> {
    do {
      return .success(try JSONReader.decode(SnapshotDocument.self, from: bytes).facts)
    } catch {
      return .failure(
        InputError("\(name) is not a valid snapshot: \(problem(error))"))
    }
  }

  /// Writes a snapshot to a file, which is replaced when it exists.
  ///
  /// A new file is for its owner alone: a snapshot tells of the programs and files of others.
  ///
  /// - Parameters:
  ///   - facts: The snapshot.
  ///   - path: The file.
  ///   - line: The index in a stream, of which only the first line replaces the file; `nil` for a
  ///     document that stands alone.
  /// - Throws: ``InputError`` when it cannot be opened, ``CommandFailure`` when writing fails.
  static func write(_ facts: AccessFacts, to path: String, line: Int? = nil) throws {
    let text = try JSONWriter.encode(facts, layout: line == nil ? .indented : .compact) + "\n"
    let beginning = line ?? 0 == 0 ? O_TRUNC : O_APPEND
    let name = Escaped(path).description
    // Without O_NONBLOCK a FIFO waits for its reader.
    let descriptor = unsafe open(
      ByteText(path).cString,
      O_WRONLY | O_CREAT | beginning | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw InputError("write \(name)", Errno(rawValue: errno))
    }
    do {
      try DescriptorSink(descriptor).write(text)
    } catch {
      close(descriptor)
      let error = if case .failed(let error) = error { error } else { Errno.brokenPipe }
      throw CommandFailure("cannot write \(name): \(error.clause)", .internalError)
    }
    // A full disk or a lost server can show only here.
    guard close(descriptor) == 0 else {
      let error = Errno(rawValue: errno)
      throw CommandFailure("cannot write \(name): \(error.clause)", .internalError)
    }
  }

  /// What is wrong with a text that was to be decoded, as one clause without untrusted bytes.
  static func problem(_ error: any Error) -> String {
    Escaped(JSONProblem(error).description, limit: 512).description
  }
}

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
      guard let format = ForeignInput.description(of: bytes, readsCases: false) else {
        return .failure(InputError("\(name) is not a valid snapshot: \(problem(error))"))
      }
      var failure = InputError("\(name) is \(format), not a snapshot")
      failure.isOtherFormat = true
      return .failure(failure)
    }
  }

  /// Writes snapshots to a file, which then holds nothing else.
  ///
  /// A new file is for its owner alone: a snapshot tells of the programs and files of others. What a
  /// file held before stays where the disk has no room for the new contents.
  ///
  /// - Parameters:
  ///   - text: The snapshots.
  ///   - path: The file.
  /// - Throws: ``CommandFailure``.
  static func write(_ text: String, to path: String) throws {
    let name = Escaped(path).description
    // Without O_NONBLOCK a FIFO waits for its reader.
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
    // A full disk or a lost server can show only here.
    guard close(descriptor) == 0 else { throw failure(.failed(Errno(rawValue: errno)), name) }
  }

  private static func replaceContents(
    of descriptor: Int32, with text: String
  ) throws(OutputError) {
    var status = stat()
    let isFile =
      unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let size = off_t(text.utf8.count)
    // The room is taken first: a file that was cut could not be filled again on a full disk.
    if isFile {
      let error = Errno(rawValue: posix_fallocate(descriptor, 0, size))
      // Not every filesystem can say; writing then does.
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

  /// What is wrong with a text that was to be decoded, as one clause without untrusted bytes.
  static func problem(_ error: any Error) -> String {
    Escaped(JSONProblem(error).description, limit: 512).description
  }
}

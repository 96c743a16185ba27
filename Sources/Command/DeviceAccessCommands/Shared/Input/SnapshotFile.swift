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

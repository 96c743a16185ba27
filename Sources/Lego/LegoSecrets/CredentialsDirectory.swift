internal import Glibc

/// A read-only store with the systemd credentials of the unit (systemd.exec(5)).
struct CredentialsDirectory: SecretBackend {
  /// The path of the directory, or `nil` to use `$CREDENTIALS_DIRECTORY`.
  let path: String?
  private let threads = BlockingThreads()

  init(_ path: String? = nil) {
    self.path = path
  }

  var title: String { "the credentials directory" }
  var isWritable: Bool { false }
  var isWrittenByHand: Bool { true }

  func read(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> SecretBytes?
  {
    try await threads.answer { [path] () throws(SecretFailure) in
      try Self.read(name, in: path)
    }
  }

  func write(
    _ bytes: SecretBytes, _ content: SecretCoding.Content, _ name: SecretName,
    _ prompt: SecretPrompt
  ) async throws(SecretFailure) {
    throw SecretFailure(.readOnly, "is read-only")
  }

  func delete(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretFailure) -> Bool {
    throw SecretFailure(.readOnly, "is read-only")
  }

  private static func read(
    _ name: SecretName, in path: String?
  ) throws(SecretFailure) -> SecretBytes? {
    guard let path = path ?? CurrentProcess.environment("CREDENTIALS_DIRECTORY") else {
      throw SecretFailure(.unavailable, "is not available ($CREDENTIALS_DIRECTORY is not set)")
    }
    guard path.hasPrefix("/") else {
      throw SecretFailure(.unavailable, "is not available (its path is not absolute)")
    }
    let directory = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw directoryProblem(errno) }
    defer { close(directory) }
    let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let file = unsafe openat(directory, name.text, flags)
    guard file >= 0 else { return try missing(errno) }
    defer { close(file) }
    return try content(of: file)
  }

  private static func directoryProblem(_ errno: Int32) -> SecretFailure {
    switch errno {
    case ENOENT, ENOTDIR:
      SecretFailure(.unavailable, "is not available (its path is not a directory)")
    case EACCES: SecretFailure(.unreadable, "may not be read by this process")
    default: SecretFailure(.failed, "cannot be opened", errno: errno)
    }
  }

  /// Returns `nil` if a file could not be opened because it does not exist; otherwise, throws an
  /// error.
  private static func missing(_ errno: Int32) throws(SecretFailure) -> SecretBytes? {
    switch errno {
    case ENOENT: return nil
    case EACCES, EPERM:
      throw SecretFailure(.unreadable, "has it, but this process may not read it")
    // O_NOFOLLOW rejects symbolic links (ELOOP), and a socket cannot be opened (ENXIO).
    case ELOOP, ENXIO: throw notAFile
    default: throw SecretFailure(.failed, "cannot be read", errno: errno)
    }
  }

  private static var notAFile: SecretFailure {
    SecretFailure(.unreadable, "has something with that name that is not a regular file")
  }

  private static func content(of file: Int32) throws(SecretFailure) -> SecretBytes {
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else {
      throw SecretFailure(.failed, "cannot be read", errno: errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw notAFile }
    guard status.st_size <= SecretBytes.limit else {
      throw SecretFailure(.badSize, "has a secret larger than 1 MiB")
    }
    let size = Int(status.st_size)
    // One extra byte, to detect that the file has grown.
    return try unsafe SecretBytes(capacity: size + 1) { buffer throws(SecretFailure) in
      let count = try unsafe fill(buffer, from: file)
      guard count <= size else {
        throw SecretFailure(.failed, "cannot be read: the file is changing")
      }
      return count
    }
  }

  private static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from file: Int32
  ) throws(SecretFailure) -> Int {
    var count = 0
    while count < buffer.count, let start = buffer.baseAddress {
      let got = unsafe Glibc.read(file, start + count, buffer.count - count)
      if got == 0 { break }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw SecretFailure(.failed, "cannot be read", errno: errno) }
      count += got
    }
    return count
  }
}

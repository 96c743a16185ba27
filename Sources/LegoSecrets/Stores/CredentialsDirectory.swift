internal import Glibc

/// The credentials that systemd gave to the unit (systemd.exec(5)).
struct CredentialsDirectory: SecretStoring {
  /// The directory; `nil` for that of the environment.
  let path: String?
  private let threads = BlockingThreads()

  init(_ path: String? = nil) {
    self.path = path
  }

  var title: String { "the credentials directory" }
  var isWritable: Bool { false }
  var isWrittenByHand: Bool { true }

  func read(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretProblem) -> SecretBytes?
  {
    try await threads.answer { [path] () throws(SecretProblem) in
      try Self.read(name, in: path)
    }
  }

  func write(
    _ bytes: SecretBytes, _ content: SecretCoding.Content, _ name: SecretName,
    _ prompt: SecretPrompt
  ) async throws(SecretProblem) {
    throw SecretProblem(.readOnly, "cannot be written")
  }

  func delete(_ name: SecretName, _ prompt: SecretPrompt) async throws(SecretProblem) -> Bool {
    throw SecretProblem(.readOnly, "cannot be written")
  }

  private static func read(
    _ name: SecretName, in path: String?
  ) throws(SecretProblem) -> SecretBytes? {
    guard let path = path ?? TrustedEnvironment.value("CREDENTIALS_DIRECTORY") else {
      throw SecretProblem(.unavailable, "is not there ($CREDENTIALS_DIRECTORY is not set)")
    }
    guard path.hasPrefix("/") else {
      throw SecretProblem(.unavailable, "is not there (its path is not absolute)")
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

  private static func directoryProblem(_ errno: Int32) -> SecretProblem {
    switch errno {
    case ENOENT, ENOTDIR:
      SecretProblem(.unavailable, "is not there (its path leads to no directory)")
    case EACCES: SecretProblem(.unreadable, "may not be read by this process")
    default: SecretProblem(.failed, "cannot be opened", errno: errno)
    }
  }

  /// What a file that could not be opened means.
  private static func missing(_ errno: Int32) throws(SecretProblem) -> SecretBytes? {
    switch errno {
    case ENOENT: return nil
    case EACCES, EPERM:
      throw SecretProblem(.unreadable, "holds it, and this process may not read it")
    // What O_NOFOLLOW and O_NONBLOCK refuse.
    case ELOOP, ENXIO: throw notAFile
    default: throw SecretProblem(.failed, "cannot be read", errno: errno)
    }
  }

  private static var notAFile: SecretProblem {
    SecretProblem(.unreadable, "holds something of that name that is not a regular file")
  }

  private static func content(of file: Int32) throws(SecretProblem) -> SecretBytes {
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else {
      throw SecretProblem(.failed, "cannot be read", errno: errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw notAFile }
    guard status.st_size <= SecretBytes.limit else {
      throw SecretProblem(.badSize, "holds one larger than 1 MiB")
    }
    let size = Int(status.st_size)
    // One byte more shows that the file has grown.
    return try unsafe SecretBytes(capacity: size + 1) { room throws(SecretProblem) in
      let count = try unsafe fill(room, from: file)
      guard count <= size else {
        throw SecretProblem(.failed, "cannot be read: the file changes meanwhile")
      }
      return count
    }
  }

  private static func fill(
    _ room: UnsafeMutableRawBufferPointer, from file: Int32
  ) throws(SecretProblem) -> Int {
    var count = 0
    while count < room.count, let start = room.baseAddress {
      let got = unsafe Glibc.read(file, start + count, room.count - count)
      if got == 0 { break }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw SecretProblem(.failed, "cannot be read", errno: errno) }
      count += got
    }
    return count
  }
}

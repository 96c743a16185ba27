internal import AccessModel
internal import Glibc

/// A file, a pipe or standard input, read in chunks of limited size.
struct InputFile: ~Copyable {
  private let descriptor: Int32
  private let isOwned: Bool
  /// A Boolean value that indicates whether the end of a FIFO may only mean that no writer has
  /// opened it yet.
  private var awaitsWriter = false
  /// The escaped name, for messages.
  let name: String

  /// The time to wait for a writer of a FIFO, in milliseconds.
  private static let patience: Int32 = 5000

  /// Opens a file for reading, or uses standard input for `-`.
  ///
  /// Opening a FIFO does not wait for its writer. Devices other than terminals are refused, because
  /// reading one may have side effects or never end.
  ///
  /// - Throws: ``InputError`` if the file cannot be opened, or is a directory or such a device.
  init(_ path: String, standardInput: Int32) throws(InputError) {
    if path == "-" {
      descriptor = standardInput
      isOwned = false
      name = "standard input"
      return
    }
    name = Escaped(path).description
    descriptor = unsafe open(
      ByteText(path).cString, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    isOwned = true
    guard descriptor >= 0 else {
      throw InputError("read \(name)", Errno(rawValue: errno))
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw InputError("read \(name)", Errno(rawValue: errno))
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFIFO: awaitsWriter = true
    case S_IFDIR: throw InputError("cannot read \(name): it is a directory")
    case S_IFCHR where isatty(descriptor) == 1: break
    default: throw InputError("cannot read \(name): it is a device, not a file or a pipe")
    }
  }

  deinit {
    if isOwned && descriptor >= 0 { close(descriptor) }
  }

  /// Reads up to `count` more bytes and appends them; returns `false` at the end of the file.
  ///
  /// - Throws: ``InputError`` if reading fails.
  mutating func read(_ count: Int, appendingTo bytes: inout [UInt8]) throws(InputError) -> Bool {
    while true {
      var got = 0
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
        got = unsafe Glibc.read(descriptor, buffer.baseAddress, count)
        size = max(0, got)
      }
      let failure = Errno(rawValue: errno)
      if got < 0 && failure == .interrupted { continue }
      if got < 0 && failure == .tryAgain {
        // A process has the pipe open for writing, or the descriptor is non-blocking.
        awaitsWriter = false
        wait(-1)
        continue
      }
      if got == 0 && awaitsWriter {
        awaitsWriter = false
        if wait(Self.patience) { continue }
        throw InputError("cannot read \(name): no process has this pipe open for writing")
      }
      bytes += piece
      guard got >= 0 else {
        throw InputError("read \(name)", failure)
      }
      awaitsWriter = false
      return got > 0
    }
  }

  /// Waits until data is available or the last writer has closed the pipe; returns `false` on
  /// timeout.
  @discardableResult
  private func wait(_ milliseconds: Int32) -> Bool {
    var descriptors = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&descriptors, 1, milliseconds) != 0
  }
}

internal import AccessModel
internal import Glibc

/// A file, a pipe or standard input, read in chunks of limited size.
struct InputFile: ~Copyable {
  private let descriptor: Int32
  private let isOwned: Bool
  /// A Boolean value that indicates whether the end of a FIFO may merely mean that no writer has
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

/// A problem with the input of a command, described in one line.
struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The description, in which untrusted parts are already escaped.
  var description: String

  var status = ExitStatus.usage

  /// A Boolean value that indicates whether the input has another format, so all of it is unusable.
  var isOtherFormat = false

  init(_ description: String) {
    self.description = description
  }

  /// Creates an error from a failed system call.
  ///
  /// `EMFILE`, `ENFILE` and `ENOMEM` are internal errors, because the input does not cause them.
  init(_ operation: String, _ error: Errno) {
    description = "cannot \(operation): \(error.clause)"
    if [.tooManyFiles, .tooManyFilesInSystem, .noMemory].contains(error) {
      status = .internalError
    }
  }
}

/// Reads the lines of an input one at a time, in bounded memory.
struct LineReader: ~Copyable {
  /// A line without its newline, or a placeholder for a line that exceeds the limit.
  enum Line: Equatable {
    case text([UInt8])
    case tooLong

    /// A Boolean value that indicates whether the line contains only JSON whitespace (RFC 8259).
    var isBlank: Bool {
      guard case .text(let bytes) = self else { return false }
      return bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
  }

  /// The default maximum length of a line, in bytes.
  static let limit = 4 << 20
  /// The maximum number of bytes to skip to find the end of a longer line.
  private static let mostSkipped = 64 << 20

  private var input: InputFile
  private let limit: Int
  private var buffer: [UInt8] = []
  /// The index of the first unread byte in the buffer.
  private var start = 0
  /// The index up to which the unread bytes are known to contain no newline.
  private var scanned = 0
  private var isAtEnd = false

  init(_ input: consuming InputFile, limit: Int = LineReader.limit) {
    self.input = input
    self.limit = limit
  }

  /// A Boolean value that indicates whether another line is available without reading from the
  /// input.
  var hasBufferedLine: Bool {
    lineEnd(from: start) != nil
  }

  /// Returns the index of the next newline in the buffer.
  ///
  /// It uses memchr(3), because a line can be several megabytes long.
  private func lineEnd(from start: Int) -> Int? {
    guard start < buffer.count else { return nil }
    return unsafe buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let end = unsafe memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(end) - base
    }
  }

  /// Returns the next line; `nil` after the last one, which may lack a newline.
  ///
  /// - Throws: ``InputError`` if reading fails, or if a line is too long to skip.
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

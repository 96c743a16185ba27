internal import Glibc

/// A file descriptor that closes with its owner.
struct Descriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes over a descriptor.
  init(adopting number: Int32) {
    self.number = number
  }

  deinit { close(number) }

  /// Opens a name in a directory; the descriptor is not inherited by other programs.
  ///
  /// A symbolic link is followed only where that is said.
  static func open(
    _ name: String, in directory: Int32, _ flags: Int32, mode: mode_t = 0,
    followsLinks: Bool = false
  ) throws(SystemCallError) -> Descriptor {
    let all = flags | O_CLOEXEC | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
    return Descriptor(
      adopting: try SystemCallError.check("open") { unsafe openat(directory, name, all, mode) })
  }

  /// What the open file is.
  borrowing func status() throws(SystemCallError) -> stat {
    var status = stat()
    try SystemCallError.check("fstat") { unsafe fstat(number, &status) }
    return status
  }
}

extension Descriptor {
  /// Reads a regular file to its end, or to a limit.
  borrowing func content(
    limit: Int, expecting size: Int
  ) throws(SystemCallError) -> FileSnapshot.Content {
    guard size <= limit else { return .unreadable("it has more than \(limit) bytes") }
    var bytes: [UInt8] = []
    // One byte more, so that the end is seen without another step.
    var step = size + 1
    while true {
      var failure: SystemCallError?
      let part = unsafe [UInt8](unsafeUninitializedCapacity: step) { buffer, count in
        let result = unsafe read(number, buffer.baseAddress, step)
        if result < 0 { failure = .current("read") }
        count = max(result, 0)
      }
      if let failure {
        if failure.errno == EINTR { continue }
        if failure.isResourceShortage { throw failure }
        return .unreadable(failure.description)
      }
      if part.isEmpty { return .bytes(bytes) }
      if bytes.isEmpty { bytes = part } else { bytes += part }
      if bytes.count > limit { return .unreadable("it has more than \(limit) bytes") }
      step = 65_536
    }
  }

  /// Writes all bytes.
  borrowing func write(_ bytes: [UInt8]) throws(SystemCallError) {
    var written = 0
    while written < bytes.count {
      let rest = bytes[written...]
      let number = number
      written += try SystemCallError.check("write") {
        unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      }
    }
  }
}

/// A system call that failed.
struct SystemCallError: Error, Hashable, CustomStringConvertible {
  let call: String
  let errno: Int32

  /// The failure of the last call on this thread; to be made in the expression after it.
  static func current(_ call: String) -> SystemCallError {
    SystemCallError(call: call, errno: Glibc.errno)
  }

  var description: String { unsafe "\(String(cString: strerror(errno))) (\(call))" }

  /// Calls the system until no signal interrupts it.
  ///
  /// - Throws: The failure, when the result is -1.
  /// - Returns: The result.
  @discardableResult
  static func check<Result: SignedInteger>(
    _ call: String, _ body: () -> Result
  ) throws(SystemCallError) -> Result {
    while true {
      let result = body()
      if result != -1 { return result }
      let failure = current(call)
      if failure.errno != EINTR { throw failure }
    }
  }

  /// Whether the process or the system lacks what looking takes, so that nothing was found out.
  var isResourceShortage: Bool { [EMFILE, ENFILE, ENOMEM, EAGAIN].contains(errno) }
}

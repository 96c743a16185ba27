internal import Glibc

/// A file descriptor that is closed with its owner.
struct Descriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes ownership of a descriptor.
  init(adopting number: Int32) {
    self.number = number
  }

  deinit { close(number) }

  /// Opens a name in a directory.
  ///
  /// Other programs do not inherit the descriptor.
  ///
  /// A symbolic link is followed only if `followsLinks` is `true`.
  static func open(
    _ name: String, in directory: Int32, _ flags: Int32, mode: mode_t = 0,
    followsLinks: Bool = false
  ) throws(SystemCallError) -> Descriptor {
    let all = flags | O_CLOEXEC | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
    return Descriptor(
      adopting: try SystemCallError.check("open") { unsafe openat(directory, name, all, mode) })
  }

  /// The status of the open file.
  borrowing func status() throws(SystemCallError) -> stat {
    var status = stat()
    try SystemCallError.check("fstat") { unsafe fstat(number, &status) }
    return status
  }
}

extension Descriptor {
  /// Reads a regular file to its end, or up to a limit.
  borrowing func content(
    limit: Int, expecting size: Int
  ) throws(SystemCallError) -> FileSnapshot.Content {
    guard size <= limit else { return .unreadable("it has more than \(limit) bytes") }
    var bytes: [UInt8] = []
    // One extra byte, so the first read also detects the end.
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

  /// The error of the last call on this thread.
  ///
  /// Create it in the expression after the call.
  static func current(_ call: String) -> SystemCallError {
    SystemCallError(call: call, errno: Glibc.errno)
  }

  var description: String { unsafe "\(String(cString: strerror(errno))) (\(call))" }

  /// Makes a system call, and repeats it if a signal interrupts it.
  ///
  /// - Throws: The error if the result is -1.
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

  /// A Boolean value that indicates whether the process or the system lacked resources, so that the
  /// call gave no information about the file.
  var isResourceShortage: Bool { [EMFILE, ENFILE, ENOMEM, EAGAIN].contains(errno) }
}

internal import Glibc

/// A file descriptor that is closed when this value is destroyed.
struct Descriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes ownership of an open file descriptor.
  init(adopting number: Int32) {
    self.number = number
  }

  deinit { close(number) }

  /// Opens a file in a directory.
  ///
  /// The descriptor is closed when the process executes another program. If the file is a symbolic
  /// link, the link is followed only if `followsLinks` is `true`.
  static func open(
    _ name: String, in directory: Int32, _ flags: Int32, mode: mode_t = 0,
    followsLinks: Bool = false
  ) throws(SystemCallError) -> Descriptor {
    let all = flags | O_CLOEXEC | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
    return Descriptor(
      adopting: try SystemCallError.check("open") { unsafe openat(directory, name, all, mode) })
  }

  /// Returns the status of the open file.
  borrowing func status() throws(SystemCallError) -> stat {
    var status = stat()
    try SystemCallError.check("fstat") { unsafe fstat(number, &status) }
    return status
  }
}

extension Descriptor {
  /// Reads a regular file to its end.
  ///
  /// If the file is larger than `limit`, or a read fails, the result is `.unreadable`. The method
  /// throws an error only if the system lacks resources.
  borrowing func content(
    limit: Int, expecting size: Int
  ) throws(SystemCallError) -> FileSnapshot.Content {
    guard size <= limit else { return .unreadable("it has more than \(limit) bytes") }
    var bytes: [UInt8] = []
    // At least one byte, because a read of zero bytes would look like the end of the file.
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

  /// Writes all bytes, continuing after partial writes.
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

/// An error thrown when a system call fails.
struct SystemCallError: Error, Hashable, CustomStringConvertible {
  let call: String
  let errno: Int32

  /// Returns an error with the current value of `errno`.
  ///
  /// Call this method immediately after the system call, before anything else can change `errno`.
  static func current(_ call: String) -> SystemCallError {
    SystemCallError(call: call, errno: Glibc.errno)
  }

  var description: String { unsafe "\(String(cString: strerror(errno))) (\(call))" }

  /// Performs a system call, retrying whenever a signal interrupts it.
  ///
  /// - Throws: An error if the call returns -1 for any other reason.
  /// - Returns: The result of the call.
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

  /// A Boolean value that indicates whether the call failed for lack of resources.
  ///
  /// Such an error says nothing about the file.
  var isResourceShortage: Bool { [EMFILE, ENFILE, ENOMEM, EAGAIN].contains(errno) }
}

public import AccessModel
internal import Glibc
internal import LinuxDevices

/// A destination for the text that a command prints.
public protocol TextSink: Sendable {
  /// A Boolean value that indicates whether the destination is a terminal, which can show colors.
  var isTerminal: Bool { get }

  /// The width of the terminal in columns; `nil` if the destination is not a terminal.
  var columns: Int? { get }

  /// Writes or queues all of the text; may block.
  func write(_ text: String) throws(OutputError)

  /// Returns when a write would not block or would fail, or when the task is cancelled.
  func waitForRoom() async
}

extension TextSink {
  public var columns: Int? { nil }

  public func waitForRoom() async {}
}

/// A sink that writes to a file descriptor, which the caller still owns.
///
/// The process must ignore `SIGPIPE`, or a write to a closed pipe terminates it.
public struct DescriptorSink: TextSink {
  let descriptor: Int32

  /// Creates a sink for a descriptor that is open for writing, and must stay open.
  public init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  public var isTerminal: Bool { isatty(descriptor) == 1 }

  public var columns: Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  public func write(_ text: String) throws(OutputError) {
    var text = text
    let failure: OutputError? = text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while unsafe !rest.isEmpty {
        // A program that is about to end must not block on its output.
        guard let room = ProgramEnd.room(in: descriptor) else { return .closed }
        let written = unsafe Glibc.write(descriptor, rest.baseAddress, min(rest.count, room))
        let error = Errno(rawValue: errno)
        if written >= 0 {
          unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
        } else if error == .brokenPipe {
          return .closed
        } else if error == .tryAgain {
          // Another process has made the terminal or pipe non-blocking.
          var descriptors = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          unsafe poll(&descriptors, 1, -1)
        } else if error != .interrupted {
          return .failed(error)
        }
      }
      return nil
    }
    if let failure { throw failure }
  }

  public func waitForRoom() async { await OutputReadiness.wait(in: descriptor) }
}

/// The reason why text cannot be written.
public enum OutputError: Error, Hashable, Sendable {
  /// The reader has closed the pipe (`EPIPE`), so the program can stop without an error.
  case closed
  /// A system call failed, for example with `ENOSPC` on a full disk.
  case failed(Errno)
}

/// The input, the output and the error output of a command.
struct StandardStreams: Sendable {
  /// The file descriptor of standard input, which the caller owns.
  let input: Int32
  let output: any TextSink
  let errors: any TextSink
  /// A Boolean value that indicates whether standard error can show characters outside ASCII.
  var showsUnicode = true

  /// Writes one line to standard error; a failed write is ignored.
  ///
  /// The caller must escape untrusted parts of the message. If the encoding is not UTF-8, this
  /// method escapes all characters outside ASCII, because their bytes could be control characters
  /// there.
  func report(_ message: String) {
    let shown = showsUnicode ? message : Escaped.ascii(message)
    try? errors.write("devaccess: \(shown)\n")
  }
}

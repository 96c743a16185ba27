internal import AccessModel
internal import Glibc
internal import LinuxDevices

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

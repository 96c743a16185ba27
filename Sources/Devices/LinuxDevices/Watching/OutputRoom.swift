internal import CLinux
internal import Glibc

/// Waits until a program's output can be written, without blocking the program's other tasks.
package enum OutputRoom {
  /// Returns when output can be written without blocking, when writing fails, or when the task is
  /// cancelled.
  ///
  /// If the output cannot be watched, the call returns immediately.
  ///
  /// - Parameter output: The descriptor of the output, which the caller continues to own.
  package static func wait(in output: Int32) async {
    var now = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&now, 1, 0) == 0 else { return }
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    // The event loop owns the descriptors of its sources, so it gets a copy.
    guard let copy = try? OwnedDescriptor(fcntl(output, F_DUPFD_CLOEXEC, 0)),
      let registration = try? EventLoop.shared.watch(
        DescriptorSource(copy, interest: CLINUX_WRITABLE) { _, _ in
          continuation.finish()
          return false
        })
    else { return }
    for await _ in signals {}
    registration.cancel()
  }
}

internal import CLinux
internal import Glibc

/// Waits for room in what a program writes to, while its other tasks go on.
package enum OutputRoom {
  /// Returns once something can be written without waiting, once writing fails, or when the task is
  /// cancelled.
  ///
  /// - Parameter output: The descriptor of the output, which stays the caller's.
  package static func wait(in output: Int32) async {
    var now = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&now, 1, 0) == 0 else { return }
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    // The event loop owns what it waits for.
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

internal import AccessModel
internal import Glibc
internal import Synchronization

/// Tells when the other end of a stream socket closes the connection.
///
/// It waits with a descriptor of its own, because the number of the caller's may be another file's
/// once the caller has closed it. As long as it waits, the connection stays open for the other end.
package final class PeerWatch: Sendable {
  /// Yields once when the other end has closed the connection; it ends then, and with ``end()``.
  ///
  /// It ends at once where nothing tells of it: no descriptor is left, or it is no socket.
  package let hangUps: AsyncStream<Void>

  private let continuation: AsyncStream<Void>.Continuation
  private let registration = Mutex<WatchRegistration?>(nil)

  /// Begins to wait; nothing is read from the socket.
  ///
  /// - Parameter descriptor: The socket, which has to be open during the call.
  package init(_ descriptor: Int32) {
    let (hangUps, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingOldest(1))
    self.hangUps = hangUps
    self.continuation = continuation
    do throws(Errno) {
      let own = try OwnedDescriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
      // A hang-up comes unasked; what can be read is not for us.
      let source = DescriptorSource(own, interest: 0) { _, _ in
        continuation.yield()
        continuation.finish()
        return false
      }
      let registration = try EventLoop.shared.watch(source)
      self.registration.withLock { $0 = registration }
    } catch {
      continuation.finish()
    }
  }

  /// Stops waiting; a second time does nothing.
  package func end() {
    let registration = registration.withLock { $0.take() }
    registration?.cancel()
    continuation.finish()
  }
}

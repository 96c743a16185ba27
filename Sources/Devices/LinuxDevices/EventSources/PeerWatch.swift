internal import AccessModel
internal import Glibc
internal import Synchronization

/// Reports when the other end of a stream socket closes the connection.
///
/// It waits on its own descriptor, because after the caller closes its descriptor, the number may
/// be reused for another file. While it waits, the connection stays open for the other end.
package final class PeerWatch: Sendable {
  /// A stream that yields once and ends when the other end closes the connection.
  ///
  /// The stream also ends after ``end()``. It ends immediately if the descriptor is not a socket or
  /// no descriptor is left.
  package let hangUps: AsyncStream<Void>

  private let continuation: AsyncStream<Void>.Continuation
  private let registration = Mutex<WatchRegistration?>(nil)

  /// Starts waiting, without reading from the socket.
  ///
  /// - Parameter descriptor: The socket, which must be open during the call.
  package init(_ descriptor: Int32) {
    let (hangUps, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingOldest(1))
    self.hangUps = hangUps
    self.continuation = continuation
    do throws(Errno) {
      let own = try OwnedDescriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
      // A hang-up is always reported. The socket's input belongs to the caller.
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

  /// Stops waiting; further calls have no effect.
  package func end() {
    let registration = registration.withLock { $0.take() }
    registration?.cancel()
    continuation.finish()
  }
}

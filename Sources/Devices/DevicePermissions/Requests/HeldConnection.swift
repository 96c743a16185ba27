internal import LinuxDevices
internal import Synchronization

/// The watches of a connection, which end when its owner closes it.
///
/// A watch keeps the connection open for the other end, so it must not outlive the owner's
/// descriptor.
final class HeldConnection: Sendable {
  private let watches = Mutex<[PeerWatch]>([])

  /// Starts a watch; the descriptor must be open during the call.
  func watch(_ descriptor: Int32) -> PeerWatch {
    let watch = PeerWatch(descriptor)
    watches.withLock { $0.append(watch) }
    return watch
  }

  /// Ends a watch whose consumer has stopped.
  func end(_ watch: PeerWatch) {
    watches.withLock { $0.removeAll { $0 === watch } }
    watch.end()
  }

  /// Ends all watches, because the owner closes the connection.
  func close() {
    let all = watches.withLock { watches in
      defer { watches = [] }
      return watches
    }
    for watch in all { watch.end() }
  }
}

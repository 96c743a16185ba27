internal import LinuxDevices
internal import Synchronization

/// What watches over a connection until its owner closes it.
///
/// A watch keeps the connection open for the other end, so it ends with the owner's descriptor.
final class HeldConnection: Sendable {
  private let watches = Mutex<[PeerWatch]>([])

  /// Begins to watch; the descriptor has to be open during the call.
  func watch(_ descriptor: Int32) -> PeerWatch {
    let watch = PeerWatch(descriptor)
    watches.withLock { $0.append(watch) }
    return watch
  }

  /// Ends one watch, which nobody listens to any more.
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

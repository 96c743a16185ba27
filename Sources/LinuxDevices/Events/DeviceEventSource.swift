internal import AccessModel
internal import Synchronization

/// The events of a monitor as a stream, in which a loss is told as a change of every subsystem.
enum DeviceEventSource {
  /// Starts to listen; the stream ends when its listener is cancelled or goes away.
  static func stream() throws(DeviceError) -> AsyncStream<DeviceEvent> {
    let monitor = try DeviceMonitor()
    let queue = Queue()
    return AsyncStream {
      if let event = queue.next() { return event }
      // A stream cannot fail: without events it ends.
      var notices = monitor.makeAsyncIterator()
      guard let notice = try? await notices.next() else { return nil }
      switch notice {
      case .event(let event): return event
      case .lost:
        queue.put(lost)
        return queue.next()
      }
    }
  }

  /// Which devices changed is lost, so every subsystem may have.
  private static var lost: [DeviceEvent] {
    Set(DeviceKind.all.compactMap(\.subsystem)).sorted().map {
      DeviceEvent(action: .change, subsystem: $0, kernelName: "", node: nil)
    }
  }

  /// The events that one notice stands for.
  private final class Queue: Sendable {
    private let events = Mutex<[DeviceEvent]>([])

    func next() -> DeviceEvent? { events.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    func put(_ more: [DeviceEvent]) { events.withLock { $0 += more } }
  }
}

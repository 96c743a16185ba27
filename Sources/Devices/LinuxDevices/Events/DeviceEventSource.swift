internal import AccessModel
internal import Synchronization

/// Provides the events of a monitor as a stream.
///
/// A loss of events appears in the stream as a change in every subsystem.
enum DeviceEventSource {
  /// Starts a monitor and returns its events.
  ///
  /// The stream ends when its consumer is cancelled or events can no longer be received.
  static func stream() throws(DeviceError) -> AsyncStream<DeviceEvent> {
    let monitor = try DeviceMonitor()
    let queue = Queue()
    return AsyncStream {
      if let event = queue.next() { return event }
      // A stream cannot throw, so it ends if no more events can be received.
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

  /// One event for each subsystem, because lost events may concern any device.
  private static var lost: [DeviceEvent] {
    Set(DeviceKind.all.compactMap(\.subsystem)).sorted().map {
      DeviceEvent(action: .change, subsystem: $0, kernelName: "", node: nil)
    }
  }

  /// The events that were created for a loss and have not been returned yet.
  private final class Queue: Sendable {
    private let events = Mutex<[DeviceEvent]>([])

    func next() -> DeviceEvent? { events.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    func put(_ more: [DeviceEvent]) { events.withLock { $0 += more } }
  }
}

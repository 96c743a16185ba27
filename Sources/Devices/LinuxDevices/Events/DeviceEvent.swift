internal import AccessModel
internal import Synchronization

/// An event of a device.
public struct DeviceEvent: Hashable, Sendable {
  /// The kind of event, with its name in udev.
  public enum Action: String, Hashable, Sendable {
    /// The device was added.
    case add
    /// The device was removed.
    case remove
    /// The device changed, or a program triggered the event to apply the udev rules again.
    case change
    /// The device was renamed or moved.
    case move
    /// The device, such as a processor or memory, is online again.
    case online
    /// The device is present but offline.
    case offline
    /// A driver was bound to the device.
    case bind
    /// A driver was unbound from the device.
    case unbind
  }

  /// The kind of event (`ACTION`).
  public var action: Action
  /// The udev name of the subsystem, such as `video4linux`.
  public var subsystem: String
  /// The kernel's name for the device, such as `video0`.
  public var kernelName: String
  /// The path of the device node, such as `/dev/video0`; `nil` if the device has none.
  public var node: String?
  /// The path in sysfs, which identifies the device; `nil` if it is unknown.
  public var sysfsPath: String?

  /// Creates an event, for example for a test.
  public init(
    action: Action, subsystem: String, kernelName: String, node: String?, sysfsPath: String? = nil
  ) {
    self.action = action
    self.subsystem = subsystem
    self.kernelName = kernelName
    self.node = node
    self.sysfsPath = sysfsPath
  }
}

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

internal import AccessModel
internal import Dispatch
internal import Synchronization

/// A udev monitor that feeds a stream for as long as somebody listens.
///
/// The monitor and its dispatch source are not `Sendable`; they live inside the mutex.
final class DeviceEventSource: Sendable {
  private struct State: ~Copyable {
    var monitor: UdevMonitor?
    var source: (any DispatchSourceRead)?
  }

  private let state: Mutex<State>
  private let continuation: AsyncStream<DeviceEvent>.Continuation

  /// As many events wait for a slow listener; when more come, the oldest go.
  ///
  /// An event only says that a subsystem has changed, so the newest ones say the same.
  static let capacity = 1024

  private init(
    _ monitor: consuming sending UdevMonitor,
    _ continuation: AsyncStream<DeviceEvent>.Continuation
  ) {
    state = Mutex(State(monitor: consume monitor, source: nil))
    self.continuation = continuation
  }

  /// Starts to listen; the stream ends when its listener is cancelled or goes away.
  static func stream() throws(DeviceError) -> AsyncStream<DeviceEvent> {
    do throws(Errno) {
      let monitor = try UdevMonitor(context: UdevContext())
      for subsystem in Set(DeviceKind.all.compactMap(\.subsystem)) {
        try monitor.match(subsystem: subsystem)
      }
      try monitor.enableReceiving()
      let (stream, continuation) = AsyncStream.makeStream(
        of: DeviceEvent.self, bufferingPolicy: .bufferingNewest(capacity))
      let descriptor = monitor.descriptor
      let events = DeviceEventSource(monitor, continuation)
      events.start(descriptor)
      return stream
    } catch {
      throw DeviceError(.unavailable, operation: "receive device events", errno: error)
    }
  }

  private func start(_ descriptor: Int32) {
    // The handlers keep `self`, and with it the descriptor, alive until the source is cancelled.
    state.withLock { state in
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
      source.setEventHandler { self.drain() }
      // The descriptor may only be closed when the source no longer looks at it.
      source.setCancelHandler { self.state.withLock { $0.monitor = nil } }
      state.source = source
      source.activate()
    }
    continuation.onTermination = { _ in self.stop() }
  }

  private func stop() {
    state.withLock { state in
      state.source?.cancel()
      state.source = nil
    }
  }

  /// Takes everything that is queued, and passes it on outside of the lock.
  private func drain() {
    var events: [DeviceEvent] = []
    state.withLock { state in
      while state.source != nil, let monitor = state.monitor.take() {
        let (event, goesOn) = Self.next(of: monitor)
        state.monitor = consume monitor
        events += event
        if !goesOn { break }
      }
    }
    for event in events { continuation.yield(event) }
  }

  private static func next(of monitor: borrowing UdevMonitor) -> ([DeviceEvent], Bool) {
    switch monitor.receive() {
    case .none: return ([], false)
    case .device(let device):
      return (DeviceEvent(device).map { [$0] } ?? [], true)
    case .overflow:
      // Which devices changed is lost, so every subsystem may have.
      let lost = Set(DeviceKind.all.compactMap(\.subsystem)).sorted().map {
        DeviceEvent(action: .change, subsystem: $0, kernelName: "", node: nil)
      }
      return (lost, true)
    }
  }
}

extension DeviceEvent {
  /// The event of a device that a monitor delivered; `nil` for an action that udev does not have.
  fileprivate init?(_ device: borrowing UdevDevice) {
    guard let action = device.action.flatMap(Action.init(rawValue:)) else { return nil }
    self.init(
      action: action, subsystem: device.subsystem, kernelName: device.kernelName,
      node: device.node)
  }
}

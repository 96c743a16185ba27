/// The notices that a consumer has not received yet, at most two for each device.
struct DeviceBacklog {
  /// The maximum number of devices with pending events.
  ///
  /// If there are more, a single loss replaces all pending events.
  static let capacity = 4096

  private var loss: DeviceLoss?
  /// The devices with pending events in the order of their first event, starting at index `start`.
  private var order: [String] = []
  private var start = 0
  private var events: [String: [DeviceEvent]] = [:]

  /// Adds an event and merges it with the pending events of its device.
  ///
  /// If a device was removed and added again, both events are kept. Otherwise, only the last event
  /// is kept.
  mutating func add(_ event: DeviceEvent) {
    let key = event.sysfsPath ?? "\(event.subsystem)/\(event.kernelName)"
    guard let waiting = events[key] else {
      guard events.count < Self.capacity else { return lose(.backlog) }
      order.append(key)
      events[key] = [event]
      return
    }
    var merged = event
    switch event.action {
    case .remove:
      events[key] = [event]
      return
    case .add: break
    default:
      // A consumer that has not received the device yet must receive it as added.
      if waiting.last?.action == .add { merged.action = .add }
    }
    events[key] = waiting.first?.action == .remove ? [waiting[0], merged] : [merged]
  }

  /// Replaces all pending events with a loss, after which the consumer lists all devices anyway.
  mutating func lose(_ reason: DeviceLoss) {
    loss = loss ?? reason
    order = []
    start = 0
    events = [:]
  }

  /// Removes and returns the next notice; `nil` if none is pending.
  mutating func take() -> DeviceNotice? {
    if let reason = loss {
      loss = nil
      return .lost(reason)
    }
    guard start < order.count, var waiting = events[order[start]] else { return nil }
    let event = waiting.removeFirst()
    if waiting.isEmpty {
      events[order[start]] = nil
      start += 1
      if start == order.count {
        order.removeAll(keepingCapacity: true)
        start = 0
      } else if start >= Self.capacity {
        order.removeFirst(start)
        start = 0
      }
    } else {
      events[order[start]] = waiting
    }
    return .event(event)
  }
}

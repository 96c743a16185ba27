/// The notices that wait for a consumer: at most two for each device.
struct DeviceBacklog {
  /// Of as many devices events wait; then they make room for one loss.
  static let capacity = 4096

  private var loss: DeviceLoss?
  /// The devices in the order of their first event, from `start` on.
  private var order: [String] = []
  private var start = 0
  private var events: [String: [DeviceEvent]] = [:]

  /// Adds an event to those of its device.
  ///
  /// A device that went and came again is told as both; all else is told by its last event.
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
      // Who has not heard of the device yet hears that it came.
      if waiting.last?.action == .add { merged.action = .add }
    }
    events[key] = waiting.first?.action == .remove ? [waiting[0], merged] : [merged]
  }

  /// Replaces everything that waits, which a look at all devices will find anyway.
  mutating func lose(_ reason: DeviceLoss) {
    loss = loss ?? reason
    order = []
    start = 0
    events = [:]
  }

  /// Takes the next notice; `nil` when none waits.
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

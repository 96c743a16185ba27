internal import AccessModel
internal import CLinux
internal import Synchronization

/// The socket of one monitor, and what waits for its consumer.
final class DeviceReceiver: EventSource {
  private let monitor: Mutex<UdevMonitor>
  private let backlog: DeviceMailbox
  let descriptor: Int32

  init(
    of subsystems: Set<String>, from sender: UdevMonitor.Sender, into backlog: DeviceMailbox
  ) throws(Errno) {
    let monitor = try UdevMonitor(from: sender, context: UdevContext())
    for subsystem in subsystems.sorted() { try monitor.match(subsystem: subsystem) }
    try monitor.enableReceiving()
    descriptor = monitor.descriptor
    self.monitor = Mutex(monitor)
    self.backlog = backlog
  }

  var interest: UInt32 { CLINUX_READABLE }

  /// Takes everything that is queued.
  func handle(_ events: UInt32) -> Bool {
    if events & CLINUX_HUNG_UP != 0 {
      backlog.lose(.socket)
      return false
    }
    // Messages that are no events end after as many; then the loop comes back.
    for _ in 0..<1024 {
      switch next() {
      case .event(let event): backlog.add(event)
      case .overflow: backlog.lose(.overflow)
      case .nothing: return true
      case .other: continue
      }
    }
    return true
  }

  private enum Next {
    case event(DeviceEvent)
    case overflow, nothing, other
  }

  private func next() -> Next {
    monitor.withLock { monitor in
      switch monitor.receive() {
      case .none: .nothing
      case .overflow: .overflow
      case .other: .other
      case .device(let device): DeviceEvent(device).map { .event($0) } ?? .other
      }
    }
  }
}

extension DeviceEvent {
  /// The event of a device that a monitor delivered; `nil` for an action that udev does not have.
  fileprivate init?(_ device: borrowing UdevDevice) {
    guard let action = device.action.flatMap(Action.init(rawValue:)) else { return nil }
    self.init(
      action: action, subsystem: device.subsystem, kernelName: device.kernelName,
      node: device.node, sysfsPath: device.sysfsPath)
  }
}

internal import AccessModel
internal import CLinux
internal import Synchronization

/// The socket of a monitor, which adds each event to the mailbox of the consumer.
final class DeviceReceiver: EventSource {
  private let monitor: Mutex<UdevMonitor>
  private let backlog: DeviceNoticeQueue
  let descriptor: Int32

  init(
    of subsystems: Set<String>, from sender: UdevMonitor.Sender, into backlog: DeviceNoticeQueue
  ) throws(Errno) {
    let monitor = try UdevMonitor(from: sender, context: UdevContext())
    for subsystem in subsystems.sorted() { try monitor.match(subsystem: subsystem) }
    try monitor.enableReceiving()
    descriptor = monitor.descriptor
    self.monitor = Mutex(monitor)
    self.backlog = backlog
  }

  var interest: UInt32 { CLINUX_READABLE }

  /// Receives the queued messages.
  func handle(_ events: UInt32) -> Bool {
    if events & CLINUX_HUNG_UP != 0 {
      backlog.lose(.socket)
      return false
    }
    // One call handles a limited number of messages. The event loop calls again if there are more.
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
  /// Creates an event from a received device; `nil` if the action is unknown.
  fileprivate init?(_ device: borrowing UdevDevice) {
    guard let action = device.action.flatMap(Action.init(rawValue:)) else { return nil }
    self.init(
      action: action, subsystem: device.subsystem, kernelName: device.kernelName,
      node: device.node, sysfsPath: device.sysfsPath)
  }
}

/// Detects when the udev daemon starts or stops.
///
/// The daemon creates its control socket when it starts, and removes the socket when it stops. On
/// startup, it also takes over the list of watched devices that the previous daemon left.
enum DaemonWatch {
  private static let names: Set<String> = ["control", "watch", "watch.old"]

  /// Returns an event source that calls `body` each time the daemon starts or stops.
  ///
  /// - Parameters:
  ///   - directory: The directory of the daemon, which is `/run/udev`.
  ///   - body: The closure to call on the event loop's thread.
  /// - Throws: `ENOENT` if the directory does not exist because the daemon has never run, `EMFILE`
  ///   if the process has too many descriptors, or another error of inotify(7).
  /// - Returns: The source.
  static func source(
    in directory: String, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) -> DescriptorSource {
    let descriptor = try FileNotifier.open()
    let mask = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR)
    _ = try FileNotifier(descriptor: descriptor.number).add(directory, mask)
    return DescriptorSource(descriptor, interest: CLINUX_READABLE) { descriptor, _ in
      var isAbout = false
      FileNotifier(descriptor: descriptor).drain(.part, where: { _, _ in true }) { notice in
        isAbout = isAbout || notice.watch < 0 || names.contains(notice.name)
      }
      if isAbout { body() }
      return true
    }
  }
}

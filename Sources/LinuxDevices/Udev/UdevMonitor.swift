internal import AccessModel
internal import CUdev
internal import Glibc

/// A netlink socket that receives events of devices.
///
/// The C type is `struct udev_monitor`. Filters must be added before ``enableReceiving()``. In a
/// network namespace of its own a process receives nothing.
@safe struct UdevMonitor: ~Copyable {
  private let raw: OpaquePointer
  private let context: UdevContext  // released after `raw`

  /// Whose events are received.
  enum Sender: String {
    /// The daemon, once it has finished processing: the node has its owner and access list.
    case daemon = "udev"
    /// The kernel, for a system where no daemon runs.
    case kernel
  }

  /// As much as systemd gives each of its own monitors.
  ///
  /// The memory is only used while events wait.
  static let bufferSize: Int32 = 128 << 20

  init(from sender: Sender = .daemon, context: borrowing UdevContext) throws(Errno) {
    guard let raw = unsafe udev_monitor_new_from_netlink(context.raw, sender.rawValue) else {
      throw .current
    }
    unsafe self.raw = raw
    self.context = context.retained()
  }

  deinit { unsafe udev_monitor_unref(raw) }

  borrowing func match(subsystem: String) throws(Errno) {
    try Errno.check(
      negated: unsafe udev_monitor_filter_add_match_subsystem_devtype(raw, subsystem, nil))
  }

  /// Starts to receive, with as much memory for waiting events as the kernel grants.
  ///
  /// Without CAP_NET_ADMIN that is at most `net.core.rmem_max`.
  borrowing func enableReceiving() throws(Errno) {
    _ = unsafe udev_monitor_set_receive_buffer_size(raw, Self.bufferSize)
    try Errno.check(negated: unsafe udev_monitor_enable_receiving(raw))
  }

  /// The descriptor that becomes readable when an event has come; it does not block.
  var descriptor: Int32 { unsafe udev_monitor_get_fd(raw) }

  /// What one attempt to receive gave.
  enum Reception: ~Copyable {
    case device(UdevDevice)
    /// Nothing is queued.
    case none
    /// The kernel dropped events because the queue was full (`ENOBUFS`).
    case overflow
    /// A message that is not an event of a device.
    case other
  }

  /// Takes the next queued event without waiting.
  borrowing func receive() -> Reception {
    Glibc.errno = 0
    if let device = unsafe udev_monitor_receive_device(raw) {
      return .device(unsafe UdevDevice(adopting: device, in: context.retained()))
    }
    return switch Errno.current {
    case .noBufferSpace: .overflow
    case .success, .tryAgain: .none
    default: .other
    }
  }
}

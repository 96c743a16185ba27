internal import AccessModel
internal import CUdev
internal import Glibc

/// A netlink socket that receives device events.
///
/// The C type is `struct udev_monitor`. Filters must be added before ``enableReceiving()``. A
/// process in another network namespace receives no events.
@safe struct UdevMonitor: ~Copyable {
  private let raw: OpaquePointer
  private let context: UdevContext  // released after `raw`

  /// The sender of the events to receive.
  enum Sender: String {
    /// The daemon, which sends an event after it has set the node's owner and access list.
    case daemon = "udev"
    /// The kernel, for systems without a udev daemon.
    case kernel
  }

  /// The receive buffer size in bytes, which is the size that systemd uses for its own monitors.
  ///
  /// The kernel uses the memory only while events are queued.
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

  /// Starts receiving, with the largest receive buffer that the kernel permits.
  ///
  /// Without CAP_NET_ADMIN, the maximum is `net.core.rmem_max`.
  borrowing func enableReceiving() throws(Errno) {
    _ = unsafe udev_monitor_set_receive_buffer_size(raw, Self.bufferSize)
    try Errno.check(negated: unsafe udev_monitor_enable_receiving(raw))
  }

  /// The nonblocking descriptor, which becomes readable when an event arrives.
  var descriptor: Int32 { unsafe udev_monitor_get_fd(raw) }

  /// The result of one attempt to receive an event.
  enum Reception: ~Copyable {
    case device(UdevDevice)
    /// No event is queued.
    case none
    /// The kernel dropped events because the queue was full (`ENOBUFS`).
    case overflow
    /// The message was not a device event.
    case other
  }

  /// Receives the next queued event without blocking.
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

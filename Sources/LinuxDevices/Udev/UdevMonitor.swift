internal import AccessModel
internal import CUdev
internal import Glibc

/// A netlink socket that receives what the udev daemon has finished processing.
///
/// The C type is `struct udev_monitor`. Filters must be added before ``enableReceiving()``. In a
/// network namespace of its own a process receives nothing.
@safe struct UdevMonitor: ~Copyable {
  private let raw: OpaquePointer
  private let context: UdevContext  // released after `raw`

  init(context: borrowing UdevContext) throws(Errno) {
    guard let raw = unsafe udev_monitor_new_from_netlink(context.raw, "udev") else {
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

  borrowing func enableReceiving() throws(Errno) {
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
  }

  /// Takes the next queued event without waiting.
  borrowing func receive() -> Reception {
    Glibc.errno = 0
    if let device = unsafe udev_monitor_receive_device(raw) {
      return .device(unsafe UdevDevice(adopting: device, in: context.retained()))
    }
    return Errno.current == .noBufferSpace ? .overflow : .none
  }
}

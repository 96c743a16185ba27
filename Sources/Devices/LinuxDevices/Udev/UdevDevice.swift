internal import AccessModel
internal import CLinux
internal import CUdev
internal import Glibc

/// A libudev device.
///
/// The C type is `struct udev_device`.
@safe struct UdevDevice: ~Copyable {
  private let raw: OpaquePointer
  private let context: UdevContext  // released after `raw`

  /// The maximum length of a property, tag or attribute in bytes; longer text is truncated.
  static let textLimit = 1024
  /// The maximum number of properties, tags or links to read from one device.
  static let countLimit = 256

  init(adopting raw: OpaquePointer, in context: consuming UdevContext) {
    unsafe self.raw = raw
    self.context = context
  }

  deinit { unsafe udev_device_unref(raw) }

  var sysfsPath: String? { unsafe String(path: udev_device_get_syspath(raw)) }
  var node: String? { unsafe String(path: udev_device_get_devnode(raw)) }
  var isInitialized: Bool { unsafe udev_device_get_is_initialized(raw) > 0 }

  var kernelName: String {
    unsafe String(copying: udev_device_get_sysname(raw), limit: 256) ?? ""
  }

  var subsystem: String {
    unsafe String(copying: udev_device_get_subsystem(raw), limit: 256) ?? ""
  }

  /// The action, for a device that a monitor delivered.
  var action: String? {
    unsafe String(copying: udev_device_get_action(raw), limit: 64)
  }

  var number: DeviceNumber? {
    let number = unsafe udev_device_get_devnum(raw)
    guard number != 0 else { return nil }
    return DeviceNumber(major: clinux_major(number), minor: clinux_minor(number))
  }

  var properties: [String: String] {
    var properties: [String: String] = [:]
    unsafe Self.forEach(udev_device_get_properties_list_entry(raw)) { entry in
      guard let key = unsafe String(copying: udev_list_entry_get_name(entry), limit: 256) else {
        return
      }
      properties[key] =
        unsafe String(copying: udev_list_entry_get_value(entry), limit: Self.textLimit) ?? ""
    }
    return properties
  }

  /// All tags that the device has or had.
  var tags: [String] { unsafe Self.names(udev_device_get_tags_list_entry(raw)) }

  /// The current tags (libudev 247); also empty if the database does not record them.
  var currentTags: [String] { unsafe Self.names(udev_device_get_current_tags_list_entry(raw)) }

  /// The links that udev claims for the device, which may actually lead to another device.
  var claimedLinks: [String] {
    var links: [String] = []
    unsafe Self.forEach(udev_device_get_devlinks_list_entry(raw)) { entry in
      if let link = unsafe String(path: udev_list_entry_get_name(entry)) { links.append(link) }
    }
    return links
  }

  private static func names(_ first: OpaquePointer?) -> [String] {
    var names: [String] = []
    unsafe forEach(first) { entry in
      if let name = unsafe String(copying: udev_list_entry_get_name(entry), limit: 256) {
        names.append(name)
      }
    }
    return names
  }

  private static func forEach(_ first: OpaquePointer?, _ body: (OpaquePointer) -> Void) {
    var entry = unsafe first
    var count = 0
    while let current = unsafe entry, count < countLimit {
      unsafe body(current)
      unsafe entry = udev_list_entry_get_next(current)
      count += 1
    }
  }
}

/// A reference to a libudev context.
///
/// The C type is `struct udev`. libudev always uses `/sys` and `/run/udev`.
@safe struct UdevContext: ~Copyable {
  let raw: OpaquePointer

  init() throws(Errno) {
    guard let raw = unsafe udev_new() else { throw .current }
    unsafe self.raw = raw
  }

  private init(adopting raw: OpaquePointer) {
    unsafe self.raw = raw
  }

  deinit { unsafe udev_unref(raw) }

  /// Returns another reference to the same context.
  borrowing func retained() -> UdevContext {
    unsafe UdevContext(adopting: udev_ref(raw))
  }

  /// Returns the device at a path in sysfs, or `nil` if it does not exist.
  ///
  /// - Throws: The error that prevents libudev from finding the device, such as `ENOMEM`, or
  ///   `EPERM` if a seccomp filter refuses faccessat2(2).
  borrowing func device(at path: String) throws(Errno) -> UdevDevice? {
    guard let device = unsafe udev_device_new_from_syspath(raw, ByteText(path).cString) else {
      let failure = Errno.current
      let isAbsent = [.noSuchDevice, .noSuchFile, .notDirectory, .invalidArgument]
        .contains(failure)
      if isAbsent { return nil }
      throw failure
    }
    return unsafe UdevDevice(adopting: device, in: retained())
  }
}

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

internal import CUdev

/// A search for devices in sysfs.
///
/// The C type is `struct udev_enumerate`.
@safe struct UdevEnumeration: ~Copyable {
  private let raw: OpaquePointer
  private let context: UdevContext  // released after `raw`

  init(context: borrowing UdevContext) throws(Errno) {
    guard let raw = unsafe udev_enumerate_new(context.raw) else { throw .current }
    unsafe self.raw = raw
    self.context = context.retained()
  }

  deinit { unsafe udev_enumerate_unref(raw) }

  borrowing func match(subsystem: String) throws(Errno) {
    try Errno.check(negated: unsafe udev_enumerate_add_match_subsystem(raw, subsystem))
  }

  borrowing func scan() throws(Errno) {
    try Errno.check(negated: unsafe udev_enumerate_scan_devices(raw))
  }

  /// Visits what the scan found; a device that vanished since is left out.
  borrowing func forEachDevice(_ body: (borrowing UdevDevice) -> Void) {
    var entry = unsafe udev_enumerate_get_list_entry(raw)
    while let current = unsafe entry {
      if let path = unsafe udev_list_entry_get_name(current),
        let device = unsafe udev_device_new_from_syspath(context.raw, path)
      {
        body(unsafe UdevDevice(adopting: device, in: context.retained()))
      }
      unsafe entry = udev_list_entry_get_next(current)
    }
  }
}

internal import AccessModel
internal import CLinux
internal import CUdev

/// A reference on libudev's context.
///
/// The C type is `struct udev`. libudev is fixed to `/sys` and `/run/udev`.
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

  /// Another reference on the same context.
  borrowing func retained() -> UdevContext {
    unsafe UdevContext(adopting: udev_ref(raw))
  }

  /// The device of a number.
  borrowing func device(_ number: DeviceNumber, isBlock: Bool) -> UdevDevice? {
    let type = CChar(bitPattern: isBlock ? UInt8(ascii: "b") : UInt8(ascii: "c"))
    let number = clinux_makedev(number.major, number.minor)
    guard let device = unsafe udev_device_new_from_devnum(raw, type, number) else { return nil }
    return unsafe UdevDevice(adopting: device, in: retained())
  }
}

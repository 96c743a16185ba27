internal import AccessModel
internal import CUdev
internal import Glibc

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

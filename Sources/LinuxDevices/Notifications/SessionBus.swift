internal import AccessModel
internal import CSystemd
internal import Glibc

/// A connection to the user's own bus, where the services of a desktop are.
///
/// It belongs to the calling thread. The C type is `sd_bus`. See sd-bus(3).
@safe struct SessionBus: ~Copyable {
  private let raw: OpaquePointer
  private let systemd: csystemd

  private static let timeout: UInt64 = 2_000_000
  /// A text as the interface of notifications takes it.
  private static let longestText = 4096

  /// Connects to the bus that `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR` names.
  ///
  /// - Throws: `ELIBACC` without libsystemd, and what keeps the bus from being reached.
  init() throws(Errno) {
    let systemd = try SystemdLibrary.functions()
    var raw: OpaquePointer?
    try Errno.check(negated: unsafe systemd.sd_bus_open_user(&raw))
    guard let raw = unsafe raw else { throw .noData }
    unsafe self.raw = raw
    self.systemd = systemd
  }

  deinit { _ = unsafe systemd.sd_bus_flush_close_unref(raw) }

  /// Has a running service show a notification; no service is started for it.
  ///
  /// - Throws: `ENXIO` or `EHOSTUNREACH` where no service runs, `ETIMEDOUT` where it does not answer.
  borrowing func notify(_ notification: DesktopNotification) throws(Errno) {
    var request: OpaquePointer?
    try Errno.check(
      negated: unsafe systemd.sd_bus_message_new_method_call(
        raw, &request, "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
        "org.freedesktop.Notifications", "Notify"))
    defer { _ = unsafe systemd.sd_bus_message_unref(request) }
    try Errno.check(negated: unsafe systemd.sd_bus_message_set_auto_start(request, 0))
    try unsafe append(notification.program, to: request)
    try unsafe append(UInt32(0), "u", to: request)
    for text in [notification.icon, notification.summary, notification.body] {
      try unsafe append(text, to: request)
    }
    // No buttons, and nothing else to tell.
    for contents in ["s", "{sv}"] {
      try Errno.check(
        negated: unsafe systemd.sd_bus_message_open_container(request, Self.code("a"), contents))
      try Errno.check(negated: unsafe systemd.sd_bus_message_close_container(request))
    }
    // For as long as the service sees fit.
    try unsafe append(Int32(-1), "i", to: request)
    var reply: OpaquePointer?
    try Errno.check(negated: unsafe systemd.sd_bus_call(raw, request, Self.timeout, nil, &reply))
    _ = unsafe systemd.sd_bus_message_unref(reply)
  }

  private borrowing func append(_ text: String, to message: OpaquePointer?) throws(Errno) {
    let text = String(text.unicodeScalars.filter { $0 != "\0" }.prefix(Self.longestText))
    let result = unsafe text.withCString { text in
      unsafe systemd.sd_bus_message_append_basic(message, Self.code("s"), text)
    }
    try Errno.check(negated: result)
  }

  private borrowing func append<Number: FixedWidthInteger & BitwiseCopyable>(
    _ number: Number, _ type: String, to message: OpaquePointer?
  ) throws(Errno) {
    var number = number
    try Errno.check(
      negated: unsafe systemd.sd_bus_message_append_basic(message, Self.code(type), &number))
  }

  private static func code(_ type: String) -> Int8 {
    Int8(bitPattern: type.utf8.first ?? 0)
  }
}

internal import AccessModel
internal import CSystemd
internal import Glibc

/// A connection to the system bus, for questions to the system's manager.
///
/// It belongs to the calling thread. Every call waits for at most five seconds. The C type is
/// `sd_bus`. See sd-bus(3).
@safe struct SystemBus: ~Copyable {
  private let raw: OpaquePointer
  private let systemd: csystemd

  private static let timeout: UInt64 = 5_000_000
  static let manager = "org.freedesktop.systemd1"

  init() throws(Errno) {
    let systemd = try SystemdLibrary.functions()
    var raw: OpaquePointer?
    try Errno.check(negated: unsafe systemd.sd_bus_open_system(&raw))
    guard let raw = unsafe raw else { throw .noData }
    unsafe self.raw = raw
    self.systemd = systemd
    // A property is read with the timeout of the connection.
    _ = unsafe systemd.sd_bus_set_method_call_timeout(raw, Self.timeout)
  }

  deinit { _ = unsafe systemd.sd_bus_flush_close_unref(raw) }

  /// The manager's object for a unit, which it loads if need be (`LoadUnit`).
  borrowing func unit(_ name: String) throws(Errno) -> String {
    var request: OpaquePointer?
    try Errno.check(
      negated: unsafe systemd.sd_bus_message_new_method_call(
        raw, &request, Self.manager, "/org/freedesktop/systemd1",
        "org.freedesktop.systemd1.Manager", "LoadUnit"))
    defer { _ = unsafe systemd.sd_bus_message_unref(request) }
    let appended = unsafe name.withCString { text in
      unsafe systemd.sd_bus_message_append_basic(request, Int8(bitPattern: UInt8(ascii: "s")), text)
    }
    try Errno.check(negated: appended)
    var reply: OpaquePointer?
    try Errno.check(negated: unsafe systemd.sd_bus_call(raw, request, Self.timeout, nil, &reply))
    defer { _ = unsafe systemd.sd_bus_message_unref(reply) }
    return try unsafe basic(reply, "o", limit: 4096)
  }

  // MARK: Properties

  /// All properties of an interface of an object, in one call (`GetAll`).
  borrowing func properties(
    of object: String, _ interface: String
  ) throws(Errno) -> [String: BusValue] {
    var request: OpaquePointer?
    try Errno.check(
      negated: unsafe systemd.sd_bus_message_new_method_call(
        raw, &request, Self.manager, object, "org.freedesktop.DBus.Properties", "GetAll"))
    defer { _ = unsafe systemd.sd_bus_message_unref(request) }
    let appended = unsafe interface.withCString { text in
      unsafe systemd.sd_bus_message_append_basic(request, Self.code("s"), text)
    }
    try Errno.check(negated: appended)
    var reply: OpaquePointer?
    try Errno.check(negated: unsafe systemd.sd_bus_call(raw, request, Self.timeout, nil, &reply))
    defer { _ = unsafe systemd.sd_bus_message_unref(reply) }

    try Errno.check(
      negated: unsafe systemd.sd_bus_message_enter_container(reply, Self.code("a"), "{sv}"))
    var properties: [String: BusValue] = [:]
    var room = Self.mostValues
    while try Errno.check(negated: unsafe systemd.sd_bus_message_at_end(reply, 0)) == 0 {
      try Errno.check(
        negated: unsafe systemd.sd_bus_message_enter_container(reply, Self.code("e"), "sv"))
      let name = try unsafe basic(reply, "s", limit: 256)
      let value = try unsafe self.value(reply, depth: 0, &room)
      properties[name] = value
      try Errno.check(negated: unsafe systemd.sd_bus_message_exit_container(reply))
    }
    return properties
  }

  // MARK: Values

  /// More values than a unit has, and deeper than any of them lies.
  private static let mostValues = 1 << 18
  private static let deepest = 8

  /// The next value of a message, of whatever type.
  private borrowing func value(
    _ message: OpaquePointer?, depth: Int, _ room: inout Int
  ) throws(Errno) -> BusValue {
    var type = CChar(0)
    var contents: UnsafePointer<CChar>?
    try Errno.check(negated: unsafe systemd.sd_bus_message_peek_type(message, &type, &contents))
    room -= 1
    guard room > 0, depth < Self.deepest else { throw .tooBig }
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"):
      var text: UnsafePointer<CChar>?
      try Errno.check(negated: unsafe systemd.sd_bus_message_read_basic(message, type, &text))
      // A path must stay exact; a longer one is none that a setting can hold.
      guard let text = unsafe String(path: text), text.utf8.count < 4096 else { return .other }
      return .text(text)
    case UInt8(ascii: "b"):
      return .boolean(try unsafe number(message, type, Int32.self) != 0)
    case UInt8(ascii: "y"): return .unsigned(UInt64(try unsafe number(message, type, UInt8.self)))
    case UInt8(ascii: "q"): return .unsigned(UInt64(try unsafe number(message, type, UInt16.self)))
    case UInt8(ascii: "u"): return .unsigned(UInt64(try unsafe number(message, type, UInt32.self)))
    case UInt8(ascii: "t"): return .unsigned(try unsafe number(message, type, UInt64.self))
    case UInt8(ascii: "n"): return .signed(Int64(try unsafe number(message, type, Int16.self)))
    case UInt8(ascii: "i"): return .signed(Int64(try unsafe number(message, type, Int32.self)))
    case UInt8(ascii: "x"): return .signed(try unsafe number(message, type, Int64.self))
    case UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "e"), UInt8(ascii: "v"):
      // The text belongs to the message, which forgets it with the next look.
      guard let signature = unsafe contents.flatMap({ unsafe String(copying: $0, limit: 256) })
      else { throw .tooBig }
      try Errno.check(
        negated: unsafe systemd.sd_bus_message_enter_container(message, type, signature))
      var elements: [BusValue] = []
      while try Errno.check(negated: unsafe systemd.sd_bus_message_at_end(message, 0)) == 0 {
        elements.append(try unsafe value(message, depth: depth + 1, &room))
      }
      try Errno.check(negated: unsafe systemd.sd_bus_message_exit_container(message))
      return type == Self.code("v") ? elements.first ?? .other : .list(elements)
    default:
      try Errno.check(negated: unsafe systemd.sd_bus_message_skip(message, nil))
      return .other
    }
  }

  private borrowing func number<Value: FixedWidthInteger & BitwiseCopyable>(
    _ message: OpaquePointer?, _ type: CChar, _ kind: Value.Type
  ) throws(Errno) -> Value {
    var value: Value = 0
    try Errno.check(negated: unsafe systemd.sd_bus_message_read_basic(message, type, &value))
    return value
  }

  private borrowing func basic(
    _ message: OpaquePointer?, _ type: String, limit: Int
  ) throws(Errno) -> String {
    var text: UnsafePointer<CChar>?
    try Errno.check(
      negated: unsafe systemd.sd_bus_message_read_basic(message, Self.code(type), &text))
    // A path must stay exact; a longer one is none that a setting can hold.
    guard let text = unsafe String(path: text), text.utf8.count < limit else { throw .tooBig }
    return text
  }

  private static func code(_ type: String) -> Int8 {
    Int8(bitPattern: type.utf8.first ?? 0)
  }
}

internal import CSystemd
internal import Glibc

/// A connection to the system bus, for questions to the system's manager.
///
/// It belongs to the calling thread. Every call waits for at most five seconds. The C type is
/// `sd_bus`. See sd-bus(3).
@safe struct SystemBus: ~Copyable {
  private let raw: OpaquePointer

  private static let timeout: UInt64 = 5_000_000
  static let manager = "org.freedesktop.systemd1"

  init() throws(Errno) {
    var raw: OpaquePointer?
    try Errno.check(negated: unsafe sd_bus_open_system(&raw))
    guard let raw = unsafe raw else { throw .noData }
    unsafe self.raw = raw
    // A property is read with the timeout of the connection.
    unsafe sd_bus_set_method_call_timeout(raw, Self.timeout)
  }

  deinit { unsafe sd_bus_flush_close_unref(raw) }

  /// The manager's object for a unit, which it loads if need be (`LoadUnit`).
  borrowing func unit(_ name: String) throws(Errno) -> String {
    var request: OpaquePointer?
    try Errno.check(
      negated: unsafe sd_bus_message_new_method_call(
        raw, &request, Self.manager, "/org/freedesktop/systemd1",
        "org.freedesktop.systemd1.Manager", "LoadUnit"))
    defer { unsafe sd_bus_message_unref(request) }
    let appended = unsafe name.withCString { text in
      unsafe sd_bus_message_append_basic(request, Int8(bitPattern: UInt8(ascii: "s")), text)
    }
    try Errno.check(negated: appended)
    var reply: OpaquePointer?
    try Errno.check(negated: unsafe sd_bus_call(raw, request, Self.timeout, nil, &reply))
    defer { unsafe sd_bus_message_unref(reply) }
    return try unsafe Self.basic(reply, "o", limit: 4096)
  }

  // MARK: Properties

  borrowing func string(_ property: BusProperty) throws(Errno) -> String {
    try unsafe read(property, type: "s") { (message) throws(Errno) in
      try unsafe Self.basic(message, "s", limit: 4096)
    }
  }

  borrowing func boolean(_ property: BusProperty) throws(Errno) -> Bool {
    var value: Int32 = 0
    try number(property, "b", &value)
    return value != 0
  }

  borrowing func integer32(_ property: BusProperty) throws(Errno) -> UInt32 {
    var value: UInt32 = 0
    try number(property, "u", &value)
    return value
  }

  borrowing func signedInteger32(_ property: BusProperty) throws(Errno) -> Int32 {
    var value: Int32 = 0
    try number(property, "i", &value)
    return value
  }

  borrowing func integer64(_ property: BusProperty) throws(Errno) -> UInt64 {
    var value: UInt64 = 0
    try number(property, "t", &value)
    return value
  }

  borrowing func strings(_ property: BusProperty) throws(Errno) -> [String] {
    try unsafe read(property, type: "as") { (message) throws(Errno) in
      try unsafe Self.list(message, of: "s") { (message) throws(Errno) in
        try unsafe Self.basic(message, "s", limit: 4096)
      }
    }
  }

  /// A list of structures whose first members are strings, such as `a(ss)`.
  ///
  /// Members behind the first `count` are skipped.
  borrowing func tuples(
    _ property: BusProperty, member: String, count: Int
  ) throws(Errno) -> [[String]] {
    try unsafe read(property, type: "a(\(member))") { (message) throws(Errno) in
      try unsafe Self.list(message, of: "(\(member))") { (message) throws(Errno) in
        try Errno.check(
          negated: unsafe sd_bus_message_enter_container(
            message, Int8(bitPattern: UInt8(ascii: "r")), member))
        var fields: [String] = []
        for _ in 0..<count { fields.append(try unsafe Self.basic(message, "s", limit: 4096)) }
        let rest = String(member.dropFirst(count))
        if !rest.isEmpty { try Errno.check(negated: unsafe sd_bus_message_skip(message, rest)) }
        try Errno.check(negated: unsafe sd_bus_message_exit_container(message))
        return fields
      }
    }
  }

  // MARK: Messages

  private borrowing func number<Value: BitwiseCopyable>(
    _ property: BusProperty, _ type: String, _ value: inout Value
  ) throws(Errno) {
    let code = Self.code(type)
    value = try unsafe read(property, type: type) { [value] (message) throws(Errno) in
      var value = value
      try Errno.check(negated: unsafe sd_bus_message_read_basic(message, code, &value))
      return value
    }
  }

  private borrowing func read<Value>(
    _ property: BusProperty, type: String, _ body: (OpaquePointer?) throws(Errno) -> Value
  ) throws(Errno) -> Value {
    var reply: OpaquePointer?
    try Errno.check(
      negated: unsafe sd_bus_get_property(
        raw, Self.manager, property.object, property.interface, property.name, nil, &reply, type))
    defer { unsafe sd_bus_message_unref(reply) }
    return try unsafe body(reply)
  }

  private static func list<Element>(
    _ message: OpaquePointer?, of type: String,
    _ element: (OpaquePointer?) throws(Errno) -> Element
  ) throws(Errno) -> [Element] {
    try Errno.check(negated: unsafe sd_bus_message_enter_container(message, code("a"), type))
    var elements: [Element] = []
    while try Errno.check(negated: unsafe sd_bus_message_at_end(message, 0)) == 0 {
      guard elements.count < UnitWords.limit else { throw .tooBig }
      elements.append(try unsafe element(message))
    }
    return elements
  }

  private static func basic(
    _ message: OpaquePointer?, _ type: String, limit: Int
  ) throws(Errno) -> String {
    var text: UnsafePointer<CChar>?
    try Errno.check(negated: unsafe sd_bus_message_read_basic(message, code(type), &text))
    // A path must stay exact; a longer one is none that a setting can hold.
    guard let text = unsafe String(path: text), text.utf8.count < limit else { throw .tooBig }
    return text
  }

  private static func code(_ type: String) -> Int8 {
    Int8(bitPattern: type.utf8.first ?? 0)
  }
}

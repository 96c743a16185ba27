internal import CSystemd
internal import Glibc

/// A D-Bus message.
///
/// Only the thread of its connection may use it. The C type is `sd_bus_message`. See sd-bus(3).
@safe struct BusMessage: ~Copyable {
  enum Kind: UInt8 {
    case call = 1
    case reply = 2
    case error = 3
    case signal = 4
  }

  let raw: OpaquePointer
  private let systemd: csystemd

  /// Takes over a reference.
  init(adopting raw: OpaquePointer?, _ systemd: csystemd) throws(BusFailure) {
    guard let raw = unsafe raw else { throw BusFailure(errno: ENODATA) }
    unsafe self.raw = raw
    self.systemd = systemd
  }

  deinit { _ = unsafe systemd.sd_bus_message_unref(raw) }

  /// Returns another reference to the same message.
  borrowing func retained() throws(BusFailure) -> BusMessage {
    try unsafe BusMessage(adopting: systemd.sd_bus_message_ref(raw), systemd)
  }

  // MARK: Head

  var kind: Kind? {
    var type: UInt8 = 0
    guard unsafe systemd.sd_bus_message_get_type(raw, &type) >= 0 else { return nil }
    return Kind(rawValue: type)
  }

  /// The cookie of the call that this message answers; `nil` for any other message.
  var answered: UInt64? {
    var cookie: UInt64 = 0
    return unsafe systemd.sd_bus_message_get_reply_cookie(raw, &cookie) >= 0 ? cookie : nil
  }

  var sender: String { unsafe Self.text(systemd.sd_bus_message_get_sender(raw)) }

  /// The error in this message.
  var failure: BusFailure {
    let number = unsafe systemd.sd_bus_message_get_errno(raw)
    guard let error = unsafe systemd.sd_bus_message_get_error(raw) else {
      return BusFailure(errno: number)
    }
    return unsafe BusFailure(
      errno: number, name: Self.text(error.pointee.name), text: Self.text(error.pointee.message))
  }

  /// Returns a call or a signal with all of its arguments.
  borrowing func incoming(_ limits: BusLimits) throws(BusFailure) -> BusIncoming {
    envelope(of: try arguments(limits))
  }

  /// Returns a call or a signal with the arguments that were read.
  borrowing func envelope(of arguments: [BusValue]) -> BusIncoming {
    let signature = unsafe Self.text(systemd.sd_bus_message_get_signature(raw, 1))
    return unsafe BusIncoming(
      isSignal: kind == .signal, sender: sender,
      path: Self.text(systemd.sd_bus_message_get_path(raw)),
      interface: Self.text(systemd.sd_bus_message_get_interface(raw)),
      member: Self.text(systemd.sd_bus_message_get_member(raw)),
      signature: signature, arguments: arguments)
  }

  /// Returns a copy of a string from libsystemd; empty if there is none or if it is too long.
  private static func text(_ text: UnsafePointer<CChar>?) -> String {
    unsafe copied(text, limit: 4096) ?? ""
  }

  private static func copied(_ text: UnsafePointer<CChar>?, limit: Int) -> String? {
    guard let text = unsafe text, unsafe strnlen(text, limit + 1) <= limit else { return nil }
    return unsafe String(validatingCString: text)
  }

  // MARK: Writing

  borrowing func append(_ argument: BusArgument) throws(BusFailure) {
    switch argument {
    case .text(let text):
      guard !text.utf8.contains(0) else { throw BusFailure(errno: EINVAL) }
      let result = unsafe text.withCString { text in
        unsafe systemd.sd_bus_message_append_basic(raw, Self.code("s"), text)
      }
      try BusFailure.check(result)
    case .boolean(let value): try append(Int32(value ? 1 : 0), "b")
    case .byte(let value): try append(value, "y")
    case .signed(let value): try append(value, "i")
    case .unsigned(let value): try append(value, "u")
    case .wide(let value): try append(value, "t")
    case .variant(let value): try append([value], in: "v", of: value.signature)
    case .array(let element, let values): try append(values, in: "a", of: element)
    case .structure(let members):
      try append(members, in: "r", of: members.map(\.signature).joined())
    case .entry(let key, let value): try append([.text(key), .variant(value)], in: "e", of: "sv")
    case .pair(let key, let value): try append([.text(key), .text(value)], in: "e", of: "ss")
    case .descriptor(let descriptor):
      let result = descriptor.withNumber { number in
        var number = number
        return unsafe systemd.sd_bus_message_append_basic(raw, Self.code("h"), &number)
      }
      try BusFailure.check(result ?? -EBADF)
    }
  }

  private borrowing func append(
    _ values: [BusArgument], in container: String, of contents: String
  ) throws(BusFailure) {
    try BusFailure.check(
      unsafe systemd.sd_bus_message_open_container(raw, Self.code(container), contents))
    for value in values { try append(value) }
    try BusFailure.check(unsafe systemd.sd_bus_message_close_container(raw))
  }

  private borrowing func append<Number: FixedWidthInteger & BitwiseCopyable>(
    _ number: Number, _ type: String
  ) throws(BusFailure) {
    var number = number
    try BusFailure.check(
      unsafe systemd.sd_bus_message_append_basic(raw, Self.code(type), &number))
  }

  private static func code(_ type: String) -> CChar {
    CChar(truncatingIfNeeded: type.utf8.first ?? 0)
  }

  // MARK: Reading

  /// Returns all arguments.
  ///
  /// - Throws: `E2BIG` if they exceed the limits.
  borrowing func arguments(_ limits: BusLimits) throws(BusFailure) -> [BusValue] {
    var room = limits.values
    return try values(limits, depth: 0, &room)
  }

  /// Returns the remaining values of the current container.
  private borrowing func values(
    _ limits: BusLimits, depth: Int, _ room: inout Int
  ) throws(BusFailure) -> [BusValue] {
    var values: [BusValue] = []
    while try BusFailure.check(unsafe systemd.sd_bus_message_at_end(raw, 0)) == 0 {
      values.append(try value(limits, depth: depth, &room))
    }
    return values
  }

  /// Returns the next value, which may have any type.
  private borrowing func value(
    _ limits: BusLimits, depth: Int, _ room: inout Int
  ) throws(BusFailure) -> BusValue {
    var type = CChar(0)
    var contents: UnsafePointer<CChar>?
    try BusFailure.check(unsafe systemd.sd_bus_message_peek_type(raw, &type, &contents))
    room -= 1
    guard room >= 0, depth < limits.depth else { throw .tooBig }
    switch UInt8(truncatingIfNeeded: type) {
    case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"):
      var text: UnsafePointer<CChar>?
      try BusFailure.check(unsafe systemd.sd_bus_message_read_basic(raw, type, &text))
      return unsafe Self.copied(text, limit: limits.text).map { .text($0) } ?? .other
    case UInt8(ascii: "b"): return .boolean(try number(type, Int32.self) != 0)
    case UInt8(ascii: "y"): return .unsigned(UInt64(try number(type, UInt8.self)))
    case UInt8(ascii: "q"): return .unsigned(UInt64(try number(type, UInt16.self)))
    case UInt8(ascii: "u"): return .unsigned(UInt64(try number(type, UInt32.self)))
    case UInt8(ascii: "t"): return .unsigned(try number(type, UInt64.self))
    case UInt8(ascii: "n"): return .signed(Int64(try number(type, Int16.self)))
    case UInt8(ascii: "i"): return .signed(Int64(try number(type, Int32.self)))
    case UInt8(ascii: "x"): return .signed(try number(type, Int64.self))
    case UInt8(ascii: "h"):
      // The message owns its descriptor and closes it, so make a copy.
      let copy = fcntl(try number(type, Int32.self), F_DUPFD_CLOEXEC, 3)
      return copy >= 0 ? .descriptor(BusDescriptor(adopting: copy)) : .other
    case UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "e"), UInt8(ascii: "v"):
      // Copy the string, because it belongs to the message and is valid only until the next access.
      guard let signature = unsafe Self.copied(contents, limit: 256) else { throw .tooBig }
      try BusFailure.check(unsafe systemd.sd_bus_message_enter_container(raw, type, signature))
      let elements = try values(limits, depth: depth + 1, &room)
      try BusFailure.check(unsafe systemd.sd_bus_message_exit_container(raw))
      return type == Self.code("v") ? elements.first ?? .other : .list(elements)
    default:
      try BusFailure.check(unsafe systemd.sd_bus_message_skip(raw, nil))
      return .other
    }
  }

  private borrowing func number<Value: FixedWidthInteger & BitwiseCopyable>(
    _ type: CChar, _ kind: Value.Type
  ) throws(BusFailure) -> Value {
    var value: Value = 0
    try BusFailure.check(unsafe systemd.sd_bus_message_read_basic(raw, type, &value))
    return value
  }
}

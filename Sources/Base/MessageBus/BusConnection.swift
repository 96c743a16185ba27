package import CSystemd
internal import Glibc

/// A connection to a bus.
///
/// Only one thread may use it. The C type is `sd_bus`. See sd-bus(3).
@safe package struct BusConnection: ~Copyable {
  private let raw: OpaquePointer
  private let systemd: csystemd

  /// Starts to connect.
  ///
  /// - Parameters:
  ///   - address: The address of the bus.
  ///   - isProxied: `true` if the bus may be behind xdg-dbus-proxy, as in a Flatpak sandbox. The
  ///     call then waits for the proxy, for up to five seconds. `nil` to detect this.
  /// - Throws: `ELIBACC` without libsystemd, `EPROTONOSUPPORT` if the address is not that of a Unix
  ///   socket, or the error that prevents connecting.
  package init(_ address: BusAddress, isProxied: Bool? = nil) throws(BusFailure) {
    guard let systemd = SystemdLibrary.functions else { throw .noLibrary }
    guard BusSocketName.isOfSockets(address) else { throw BusFailure(errno: EPROTONOSUPPORT) }
    if isProxied ?? ProxiedBus.isLikely, let name = BusSocketName.standard(address) {
      unsafe raw = try unsafe ProxiedBus.open(name, systemd)
    } else {
      unsafe raw = try unsafe Self.opened(address, systemd)
    }
    self.systemd = systemd
  }

  private static func opened(
    _ address: BusAddress, _ systemd: csystemd
  ) throws(BusFailure) -> OpaquePointer {
    var raw: OpaquePointer?
    let result =
      switch address {
      case .user: unsafe systemd.sd_bus_open_user(&raw)
      case .system: unsafe systemd.sd_bus_open_system(&raw)
      case .at: unsafe systemd.sd_bus_new(&raw)
      }
    try BusFailure.check(result)
    guard let raw = unsafe raw else { throw BusFailure(errno: ENODATA) }
    guard case .at(let address) = address else { return unsafe raw }
    do throws(BusFailure) {
      try BusFailure.check(unsafe systemd.sd_bus_set_address(raw, address))
      try BusFailure.check(unsafe systemd.sd_bus_set_bus_client(raw, 1))
      try BusFailure.check(unsafe systemd.sd_bus_start(raw))
    } catch {
      _ = unsafe systemd.sd_bus_close_unref(raw)
      throw error
    }
    return unsafe raw
  }

  deinit { _ = unsafe systemd.sd_bus_close_unref(raw) }

  // MARK: Sending

  /// Calls a method and waits for the reply, as ``call(_:until:limits:)`` does.
  ///
  /// This does not use `sd_bus_call`, which waits up to 90 seconds for a bus that does not respond.
  package borrowing func call(
    _ call: BusCall, within time: Duration, limits: BusLimits
  ) throws(BusFailure) -> [BusValue] {
    try self.call(call, until: .now + time, limits: limits)
  }

  /// Calls a method and waits for the reply; the time for connecting counts as well.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - deadline: The time at which to stop waiting.
  ///   - limits: The limits for the reply.
  /// - Returns: The values that the method returns.
  /// - Throws: ``BusFailure/timedOut``, `E2BIG` if the reply exceeds the limits, or the error in
  ///   the reply.
  package borrowing func call(
    _ call: BusCall, until deadline: ContinuousClock.Instant, limits: BusLimits
  ) throws(BusFailure) -> [BusValue] {
    try self.call(call, until: deadline, limits: limits) { _ in }
  }

  /// Calls a method and waits for the reply, as ``call(_:until:limits:)`` does.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - deadline: The time at which to stop waiting.
  ///   - limits: The limits for the reply.
  ///   - others: Called with each message that arrives before the reply. These messages are not
  ///     delivered again.
  /// - Returns: The values that the method returns.
  /// - Throws: The errors of ``call(_:until:limits:)``.
  borrowing func call(
    _ call: BusCall, until deadline: ContinuousClock.Instant, limits: BusLimits,
    others: (borrowing BusMessage) -> Void
  ) throws(BusFailure) -> [BusValue] {
    let cookie = try send(call)
    var result: Result<[BusValue], BusFailure>?
    while true {
      let hasWorked = try process { message in
        guard message.answered == cookie else { return others(message) }
        guard message.kind == .reply else {
          result = .failure(message.failure)
          return
        }
        do throws(BusFailure) {
          result = .success(try message.arguments(limits))
        } catch {
          result = .failure(error)
        }
      }
      if let result { return try result.get() }
      let left = (deadline - .now).components
      guard left.seconds >= 0, left.attoseconds >= 0 else { throw .timedOut }
      if !hasWorked {
        // There is no other descriptor to wait for.
        try wait(
          -1, milliseconds: left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1)
      }
    }
  }

  /// Sends a call, or queues it until it can be sent.
  ///
  /// - Returns: The cookie that the reply will contain.
  borrowing func send(_ call: BusCall) throws(BusFailure) -> UInt64 {
    let request = try message(call)
    var cookie: UInt64 = 0
    try BusFailure.check(unsafe systemd.sd_bus_send(raw, request.raw, &cookie))
    return cookie
  }

  private borrowing func message(_ call: BusCall) throws(BusFailure) -> BusMessage {
    var request: OpaquePointer?
    try BusFailure.check(
      unsafe systemd.sd_bus_message_new_method_call(
        raw, &request, call.destination, call.path, call.interface, call.member))
    let message = try unsafe BusMessage(adopting: request, systemd)
    if !call.startsService {
      try BusFailure.check(unsafe systemd.sd_bus_message_set_auto_start(message.raw, 0))
    }
    for argument in call.arguments { try message.append(argument) }
    return message
  }

  /// Answers a call; sends nothing if the caller wants no reply.
  borrowing func answer(_ call: borrowing BusMessage, _ answer: BusAnswer) throws(BusFailure) {
    switch answer {
    case .values(let values):
      var raw: OpaquePointer?
      try BusFailure.check(unsafe systemd.sd_bus_message_new_method_return(call.raw, &raw))
      let message = try unsafe BusMessage(adopting: raw, systemd)
      for value in values { try message.append(value) }
      try BusFailure.check(unsafe systemd.sd_bus_send(self.raw, message.raw, nil))
    case .refusal(let name, let text):
      try refuse(call, "org.freedesktop.DBus.Error.\(name)", text)
    case .failure(let name, let text): try refuse(call, name, text)
    }
  }

  private borrowing func refuse(
    _ call: borrowing BusMessage, _ name: String, _ text: String
  ) throws(BusFailure) {
    var raw: OpaquePointer?
    let result = unsafe name.withCString { name in
      unsafe text.withCString { text in
        var error = unsafe sd_bus_error(name: name, message: text, _need_free: 0)
        return unsafe systemd.sd_bus_message_new_method_error(call.raw, &raw, &error)
      }
    }
    try BusFailure.check(result)
    let message = try unsafe BusMessage(adopting: raw, systemd)
    try BusFailure.check(unsafe systemd.sd_bus_send(self.raw, message.raw, nil))
  }

  // MARK: Receiving

  /// Performs one step of the pending work, without waiting.
  ///
  /// - Parameter body: Called with a message if one was received.
  /// - Returns: `true` if there was work.
  /// - Throws: An error if the connection is lost.
  borrowing func process(_ body: (borrowing BusMessage) -> Void) throws(BusFailure) -> Bool {
    var message: OpaquePointer?
    let result = try BusFailure.check(unsafe systemd.sd_bus_process(raw, &message))
    if unsafe message != nil { body(try unsafe BusMessage(adopting: message, systemd)) }
    return result > 0
  }

  /// Waits until there may be work, until another descriptor becomes readable, or until a time has
  /// passed.
  ///
  /// - Parameters:
  ///   - descriptor: The other descriptor.
  ///   - milliseconds: The longest time to wait; `nil` for no limit.
  /// - Returns: `true` if the other descriptor is readable.
  /// - Throws: An error if the connection is lost.
  @discardableResult
  borrowing func wait(_ descriptor: Int32, milliseconds: Int64?) throws(BusFailure) -> Bool {
    let events = try BusFailure.check(unsafe systemd.sd_bus_get_events(raw))
    let own = try BusFailure.check(unsafe systemd.sd_bus_get_fd(raw))
    let time = [milliseconds, try untilWork()].compactMap { $0 }.min() ?? -1
    var descriptors = [
      pollfd(fd: own, events: Int16(truncatingIfNeeded: events), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let result = unsafe poll(&descriptors, 2, Int32(clamping: time))
    if result < 0, errno != EINTR { throw BusFailure(errno: errno) }
    return result > 0 && descriptors[1].revents != 0
  }

  /// A Boolean value that indicates whether messages are waiting to be sent.
  var hasUnsent: Bool { unsafe systemd.sd_bus_get_events(raw) & Int32(POLLOUT) > 0 }

  /// Returns the milliseconds until the library must process its own timers; `nil` if it has none.
  private borrowing func untilWork() throws(BusFailure) -> Int64? {
    var time = UInt64.max
    try BusFailure.check(unsafe systemd.sd_bus_get_timeout(raw, &time))
    guard time != .max else { return nil }
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    let passed = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000
    return time > passed ? Int64(clamping: (time - passed) / 1_000 + 1) : 0
  }
}

/// The address of a bus.
package enum BusAddress: Hashable, Sendable {
  /// The bus of the user, from `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR`.
  case user
  /// The system bus.
  case system
  /// The bus at the given address, such as `unix:path=/run/user/1000/bus`.
  case at(String)
}

/// The functions of libsystemd, which is loaded when the first of them is needed.
package enum SystemdLibrary {
  /// The functions, which are named as in sd-login(3) and sd-bus(3); `nil` if the library or one of
  /// them is missing.
  package static let functions = load("libsystemd.so.0")

  /// Returns the functions of a library; `nil` if the library or one of them is missing.
  package static func load(_ name: String) -> csystemd? {
    guard let functions = unsafe csystemd_load(name) else { return nil }
    return unsafe functions.pointee
  }
}

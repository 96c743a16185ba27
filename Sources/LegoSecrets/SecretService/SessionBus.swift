internal import CSecret

/// Where the session bus is.
enum SessionBus {
  /// The address of the bus.
  ///
  /// GIO would also start a bus where there is none.
  ///
  /// - Throws: ``SecretCode/unavailable`` if there is none, or it is on another machine.
  static func address() throws(SecretProblem) -> String {
    if let address = TrustedEnvironment.value("DBUS_SESSION_BUS_ADDRESS") {
      return try local(address)
    }
    guard let directory = TrustedEnvironment.value("XDG_RUNTIME_DIR"), directory.hasPrefix("/")
    else {
      throw SecretProblem(
        .unavailable,
        "is not there (neither $DBUS_SESSION_BUS_ADDRESS nor $XDG_RUNTIME_DIR leads to a bus)")
    }
    let path = unsafe g_dbus_address_escape_value("\(directory)/bus")
    defer { unsafe g_free(path) }
    guard let path = unsafe path else {
      throw SecretProblem(.unavailable, "is not there ($XDG_RUNTIME_DIR leads to no bus)")
    }
    return unsafe "unix:path=\(String(cString: path))"
  }

  /// An address, if it leads to sockets of this machine.
  static func local(_ address: String) throws(SecretProblem) -> String {
    guard address.split(separator: ";").allSatisfy({ $0.hasPrefix("unix:") }) else {
      throw SecretProblem(
        .unavailable, "is not there ($DBUS_SESSION_BUS_ADDRESS names something else than a socket)")
    }
    return address
  }
}

/// The address of a bus.
package enum BusAddress: Hashable, Sendable {
  /// The bus of the user, from `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR`.
  case user
  /// The system bus.
  case system
  /// The bus at the given address, such as `unix:path=/run/user/1000/bus`.
  case at(String)
}

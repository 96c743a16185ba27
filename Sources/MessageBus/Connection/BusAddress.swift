/// Which bus to connect to.
package enum BusAddress: Hashable, Sendable {
  /// The user's own, which `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR` names.
  case user
  /// The one of the system.
  case system
  /// The one at an address, such as `unix:path=/run/user/1000/bus`.
  case at(String)
}

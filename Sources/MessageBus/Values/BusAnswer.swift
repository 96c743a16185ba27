/// The answer to a call that came from the bus.
package enum BusAnswer: Hashable, Sendable {
  case values([BusArgument])
  /// An error: the last part of its name below `org.freedesktop.DBus.Error`, and a text.
  case refusal(String, String)
  /// An error of the service's own: its whole name, and a text.
  case failure(name: String, String)
}

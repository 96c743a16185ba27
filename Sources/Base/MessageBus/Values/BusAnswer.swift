/// The answer to an incoming call.
package enum BusAnswer: Hashable, Sendable {
  case values([BusArgument])
  /// A standard error: the last part of its name after `org.freedesktop.DBus.Error`, and a text.
  case refusal(String, String)
  /// An error that the service defines: its full name, and a text.
  case failure(name: String, String)
}

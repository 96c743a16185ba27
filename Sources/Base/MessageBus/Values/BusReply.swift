/// The reply to a call.
package struct BusReply: Hashable, Sendable {
  package var values: [BusValue]
  /// The unique name of the connection that answered, such as `:1.7`.
  package var sender: String
}

internal import AccessModel

/// A request that waits: first for the bus to say who asks, then for polkit.
struct BrokerRequestState {
  /// The unique name of the caller's connection.
  let caller: String
  let query: BrokerQuery
  /// When it is given up.
  let deadline: ContinuousClock.Instant
  /// Who asks, once the bus has said so.
  var user: UInt32?
  /// The device, from the moment on that polkit is asked.
  var device: HeldDevice?
}

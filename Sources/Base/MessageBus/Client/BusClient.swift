internal import Dispatch

/// A connection to a bus that is served on a separate thread.
///
/// The connection ends with ``close()``, when the last reference to the client is released, or when
/// the bus disconnects. The client does not connect again.
package final class BusClient: Sendable {
  /// A function that answers a call or handles a signal, on the thread of the connection.
  ///
  /// The answer to a signal is ignored. A signal that exceeds the limits is passed without
  /// arguments.
  package typealias Receiver = @Sendable (BusIncoming) -> BusAnswer

  private let core: BusClientCore

  /// Starts to connect; if the bus cannot be reached, the first call throws the error.
  ///
  /// - Parameters:
  ///   - address: The address of the bus.
  ///   - limits: The limits for messages that are read.
  ///   - receiver: Answers incoming calls and handles signals.
  /// - Throws: A system error, such as `EMFILE`.
  package init(
    _ address: BusAddress, limits: BusLimits = BusLimits(text: 4_096, values: 4_096, depth: 8),
    receiver: @escaping Receiver = { _ in .refusal("UnknownMethod", "there is no such method") }
  ) throws(BusFailure) {
    let core = try BusClientCore(limits, receiver)
    self.core = core
    DispatchQueue(label: "message bus").async { core.run(address) }
  }

  deinit { core.stop() }

  /// Calls a method.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - time: The longest time to wait for the reply, including the time for connecting.
  ///   - noting: Called with the reply before any later message from the bus is received, even if
  ///     the caller was cancelled in the meantime.
  /// - Returns: The reply.
  /// - Throws: ``BusFailure/timedOut``, ``BusFailure/cancelled``, the error in the reply, or the
  ///   error that ended the connection.
  package func call(
    _ call: BusCall, within time: Duration, noting: (@Sendable (BusReply) -> Void)? = nil
  ) async throws(BusFailure) -> BusReply {
    try await core.call(call, within: time, noting).get()
  }

  /// Waits until the connection has ended.
  ///
  /// - Returns: The reason for the end; ``BusFailure/cancelled`` if the task was cancelled before.
  package func ended() async -> BusFailure { await core.ended() }

  /// Ends the connection, and waits until it has ended.
  package func close() async {
    core.stop()
    _ = await core.ended()
  }
}

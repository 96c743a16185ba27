internal import Dispatch

/// A connection to a bus that is served by a thread of its own.
///
/// It ends with ``close()``, with the last reference to it, and when the bus goes away; it does not
/// connect again.
package final class BusClient: Sendable {
  /// Answers a call, or takes a signal, on the thread of the connection; a signal's answer is
  /// ignored.
  ///
  /// A signal that is larger than the limits comes without arguments.
  package typealias Receiver = @Sendable (BusIncoming) -> BusAnswer

  private let core: BusClientCore

  /// Begins to connect; a bus that cannot be reached is told by the first call.
  ///
  /// - Parameters:
  ///   - address: The bus.
  ///   - limits: How much of a message is read.
  ///   - receiver: What answers.
  /// - Throws: `EMFILE` and the like.
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
  ///   - time: How long to wait for the answer, and for the connection before.
  ///   - noting: Called with the answer, before anything that the bus delivered after it is received;
  ///     also when the caller was cancelled meanwhile.
  /// - Returns: The answer.
  /// - Throws: ``BusFailure/timedOut``, ``BusFailure/cancelled``, the error that was answered, or why
  ///   the connection has ended.
  package func call(
    _ call: BusCall, within time: Duration, noting: (@Sendable (BusReply) -> Void)? = nil
  ) async throws(BusFailure) -> BusReply {
    try await core.call(call, within: time, noting).get()
  }

  /// Waits for the end of the connection.
  ///
  /// - Returns: Why it has ended; ``BusFailure/cancelled`` where the task was cancelled before.
  package func ended() async -> BusFailure { await core.ended() }

  /// Ends the connection, and waits until it is.
  package func close() async {
    core.stop()
    _ = await core.ended()
  }
}

internal import MessageBus
internal import Synchronization

/// One request to a desktop portal, on its own connection.
final class PortalExchange: Sendable {
  /// The portal's answer to a request.
  struct Answered: Sendable {
    /// The connection, for further requests.
    let client: BusClient
    let response: PortalResponse
    /// The results that the portal sent, a dictionary.
    let results: BusValue
  }

  /// The event that ends the wait for an answer.
  private enum End: Sendable {
    case told(PortalConversation.End)
    case timedOut
    case disconnected(BusFailure)
  }

  /// The time limit of one call, because a slow machine needs seconds to start a portal.
  private static let longestCall = Duration.seconds(30)

  private let application: String?
  private let limits: BusLimits
  private let deadline: ContinuousClock.Instant
  private let conversation = Mutex(PortalConversation())
  private let ends: AsyncStream<End>
  private let continuation: AsyncStream<End>.Continuation

  /// Prepares a request.
  ///
  /// - Parameters:
  ///   - application: The identifier to register with the portal first; `nil` for none.
  ///   - timeout: The total time to wait for the user and the portal.
  ///   - limits: The maximum size of a message; a larger answer is invalid.
  init(
    application: String?, timeout: Duration,
    limits: BusLimits = BusLimits(text: 4_096, values: 1_024, depth: 8)
  ) {
    self.application = application
    self.limits = limits
    deadline = .now + timeout
    (ends, continuation) = AsyncStream.makeStream(
      of: End.self, bufferingPolicy: .bufferingOldest(1))
  }

  /// Sends a request and waits for the answer.
  ///
  /// - Parameters:
  ///   - address: The address of the bus.
  ///   - request: Returns the call for a token, which determines the path of the request object.
  /// - Returns: The answer.
  /// - Throws: The reason why no answer arrived. If a dialog may still be open, it is closed.
  func ask(
    on address: BusAddress, _ request: (_ token: String) -> BusCall
  ) async throws(PortalTrouble) -> Answered {
    let client = try connected(to: address)
    _ = try await call(client, PortalCalls.followPortal)
    if let application { try await register(application, client) }
    let token = "devaccess\(UInt64.random(in: .min ... .max))"
    guard let name = conversation.withLock({ $0.ownName }) else {
      throw .failed("the message bus does not say who the caller is")
    }
    let path = PortalCalls.requestPath(of: name, token)
    _ = try await call(client, PortalCalls.followRequests(of: name))
    do throws(PortalTrouble) {
      return try await answer(request(token), client)
    } catch {
      // Closes a dialog that may still be open. The result is ignored because the portal may be
      // busy.
      if error.leavesDialog { _ = try? await call(client, PortalCalls.close(path)) }
      throw error
    }
  }

  // MARK: The parts of the exchange

  private func connected(to address: BusAddress) throws(PortalTrouble) -> BusClient {
    do throws(BusFailure) {
      // The closure retains the exchange until the last signal has been processed. The exchange
      // does not retain the client.
      return try BusClient(address, limits: limits) { [self] message in
        guard message.isSignal else { return .refusal("UnknownMethod", "there is no such method") }
        take { $0.receive(message) }
        return .values([])
      }
    } catch {
      throw .failed(error.description)
    }
  }

  private func take(_ body: (inout PortalConversation) -> PortalConversation.End?) {
    if let end = conversation.withLock({ body(&$0) }) { continuation.yield(.told(end)) }
  }

  private func register(
    _ application: String, _ client: BusClient
  ) async throws(PortalTrouble) {
    do throws(PortalTrouble) {
      _ = try await call(client, PortalCalls.register(application))
    } catch {
      // A portal without this interface identifies the caller itself.
      guard case .absent = error else { throw error }
    }
  }

  private func answer(
    _ request: BusCall, _ client: BusClient
  ) async throws(PortalTrouble) -> Answered {
    let reply = try await call(client, request) { [self] reply in
      guard let path = PortalReading.requestPath(reply.values) else { return }
      take { $0.begin(path, of: reply.sender) }
    }
    guard PortalReading.requestPath(reply.values) != nil else {
      throw .failed("the portal's reply names no request")
    }
    let timer = Pause(until: deadline) { [continuation] in continuation.yield(.timedOut) }
    let listener = Task { [continuation] in
      continuation.yield(.disconnected(await client.ended()))
    }
    defer {
      withExtendedLifetime(timer) {}
      listener.cancel()
    }
    var iterator = ends.makeAsyncIterator()
    switch await iterator.next() {
    case .told(.answered(let response)):
      let results = conversation.withLock { $0.results } ?? .list([])
      return Answered(client: client, response: response, results: results)
    case .told(.nonsense): throw .failed("the portal sent an invalid reply")
    case .told(.portalEnded): throw .failed("the portal exited before it answered")
    case .timedOut: throw .timedOut
    case .disconnected(let failure):
      throw .failed("the connection to the message bus ended: \(failure)")
    case nil: throw .cancelled
    }
  }

  /// Calls a method within the time limit of the request.
  func call(
    _ client: BusClient, _ call: BusCall, noting: (@Sendable (BusReply) -> Void)? = nil
  ) async throws(PortalTrouble) -> BusReply {
    let left = deadline - .now
    guard left > .zero || call.member == "Close" else { throw .timedOut }
    do throws(BusFailure) {
      return try await client.call(
        call, within: left > .zero ? min(left, Self.longestCall) : .seconds(1), noting: noting)
    } catch {
      throw PortalTrouble(error)
    }
  }
}

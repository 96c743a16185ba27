internal import AccessModel
internal import CLinux
internal import Glibc
internal import MessageBus
internal import Synchronization

/// One request to a portal, on a connection of its own.
final class PortalExchange: Sendable {
  /// What ends the waiting for an answer.
  private enum End: Sendable {
    case told(PortalConversation.End)
    case timedOut
    case disconnected(BusFailure)
  }

  /// Starting a portal and its parts takes a slow machine seconds.
  private static let longestCall = Duration.seconds(30)
  private static let limits = BusLimits(text: 4_096, values: 1_024, depth: 8)

  private let request: PortalRequest
  private let deadline: ContinuousClock.Instant
  private let conversation = Mutex(PortalConversation())
  private let ends: AsyncStream<End>
  private let continuation: AsyncStream<End>.Continuation

  init(_ request: PortalRequest) {
    self.request = request
    deadline = .now + request.timeout
    (ends, continuation) = AsyncStream.makeStream(
      of: End.self, bufferingPolicy: .bufferingOldest(1))
  }

  /// Asks, waits, and opens the connection to PipeWire.
  func run(on address: BusAddress) async -> PortalReply {
    do throws(PortalTrouble) {
      let client = try connected(to: address)
      _ = try await call(client, PortalCalls.followPortal)
      if let application = request.application { try await register(application, client) }
      let token = "devaccess\(UInt64.random(in: .min ... .max))"
      guard let name = conversation.withLock({ $0.ownName }) else {
        throw .failed("the message bus does not say who the caller is")
      }
      let path = PortalCalls.requestPath(of: name, token)
      _ = try await call(client, PortalCalls.followRequests(of: name))
      let outcome: PortalOutcome
      do throws(PortalTrouble) {
        outcome = try await answer(token, client)
      } catch {
        // Takes a dialog back that may still be open; the portal may be busy, so nobody waits.
        if error.leavesDialog { _ = try? await call(client, PortalCalls.close(path)) }
        throw error
      }
      guard outcome == .granted else { return PortalReply(outcome) }
      return PortalReply(granting: try await remote(client))
    } catch {
      return PortalReply(error.outcome)
    }
  }

  // MARK: The parts of the exchange

  private func connected(to address: BusAddress) throws(PortalTrouble) -> BusClient {
    do throws(BusFailure) {
      // Held, because an exchange that nothing holds may end before its last answer; it does not
      // hold the client in turn.
      return try BusClient(address, limits: Self.limits) { [self] message in
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
      // A portal without the interface identifies the caller by itself.
      guard case .absent = error else { throw error }
    }
  }

  private func answer(
    _ token: String, _ client: BusClient
  ) async throws(PortalTrouble) -> PortalOutcome {
    let reply = try await call(client, PortalCalls.accessCamera(token)) { [self] reply in
      guard let path = PortalReading.requestPath(reply.values) else { return }
      take { $0.begin(path, of: reply.sender) }
    }
    guard PortalReading.requestPath(reply.values) != nil else {
      throw .failed("the portal named no request")
    }
    let timer = Task { [deadline, continuation] in
      do {
        try await Task.sleep(until: deadline, clock: .continuous)
        continuation.yield(.timedOut)
      } catch {}
    }
    let listener = Task { [continuation] in
      continuation.yield(.disconnected(await client.ended()))
    }
    defer {
      timer.cancel()
      listener.cancel()
    }
    var iterator = ends.makeAsyncIterator()
    switch await iterator.next() {
    case .told(.answered(let response)): return response.outcome
    case .told(.nonsense): throw .failed("the portal answered nonsense")
    case .told(.portalEnded): throw .failed("the portal ended before it answered")
    case .timedOut: throw .timedOut
    case .disconnected(let failure): throw .failed("the message bus ended: \(failure)")
    case nil: throw .cancelled
    }
  }

  private func remote(_ client: BusClient) async throws(PortalTrouble) -> DeviceDescriptor {
    let reply: BusReply
    do throws(PortalTrouble) {
      reply = try await call(client, PortalCalls.openRemote)
    } catch {
      throw error == .forbidden ? .withheld : error
    }
    guard let number = PortalReading.remote(reply.values)?.take() else {
      throw .failed("the portal handed nothing over")
    }
    let remote = DeviceDescriptor(adopting: number)
    var status = stat()
    guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
      throw .failed("the portal handed over something else than a connection")
    }
    return remote
  }

  private func call(
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

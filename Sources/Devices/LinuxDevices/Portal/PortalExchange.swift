internal import AccessModel
internal import CLinux
internal import Glibc
package import MessageBus
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
    case reported(PortalRequestState.End)
    case timedOut
    case disconnected(BusFailure)
  }

  /// The time limit of one call, because a slow machine needs seconds to start a portal.
  private static let longestCall = Duration.seconds(60)

  private let application: String?
  private let limits: BusLimits
  private let deadline: ContinuousClock.Instant
  private let conversation = Mutex(PortalRequestState())
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
  ) async throws(PortalFailure) -> Answered {
    let client = try connected(to: address)
    _ = try await call(client, PortalCalls.followPortal)
    if let application { try await register(application, client) }
    let token = "devaccess\(UInt64.random(in: .min ... .max))"
    guard let name = conversation.withLock({ $0.ownName }) else {
      throw PortalFailure(.failed("the message bus does not say who the caller is"))
    }
    let path = PortalCalls.requestPath(of: name, token)
    _ = try await call(client, PortalCalls.followRequests(of: name))
    do throws(PortalFailure) {
      return try await answer(request(token), client)
    } catch {
      // Closes a dialog that may still be open. The result is ignored because the portal may be
      // busy.
      if error.leavesDialog { _ = try? await call(client, PortalCalls.close(path)) }
      throw error
    }
  }

  // MARK: The parts of the exchange

  private func connected(to address: BusAddress) throws(PortalFailure) -> BusClient {
    do throws(BusFailure) {
      // The closure retains the exchange until the last signal has been processed. The exchange
      // does not retain the client.
      return try BusClient(address, limits: limits) { [self] message in
        guard message.isSignal else { return .refusal("UnknownMethod", "there is no such method") }
        take { $0.receive(message) }
        return .values([])
      }
    } catch {
      throw PortalFailure(.failed(error.description))
    }
  }

  private func take(_ body: (inout PortalRequestState) -> PortalRequestState.End?) {
    if let end = conversation.withLock({ body(&$0) }) { continuation.yield(.reported(end)) }
  }

  private func register(
    _ application: String, _ client: BusClient
  ) async throws(PortalFailure) {
    do throws(PortalFailure) {
      _ = try await call(client, PortalCalls.register(application))
    } catch {
      // A portal without this interface identifies the caller on its own.
      guard case .absent = error.outcome else { throw error }
    }
  }

  private func answer(
    _ request: BusCall, _ client: BusClient
  ) async throws(PortalFailure) -> Answered {
    let reply = try await call(client, request) { [self] reply in
      guard let path = PortalReplyParser.requestPath(reply.values) else { return }
      take { $0.begin(path, of: reply.sender) }
    }
    guard PortalReplyParser.requestPath(reply.values) != nil else {
      throw PortalFailure(.failed("the portal's reply names no request"))
    }
    let timer = OneShotTimer(until: deadline) { [continuation] in continuation.yield(.timedOut) }
    let listener = Task { [continuation] in
      continuation.yield(.disconnected(await client.ended()))
    }
    defer {
      withExtendedLifetime(timer) {}
      listener.cancel()
    }
    var iterator = ends.makeAsyncIterator()
    switch await iterator.next() {
    case .reported(.answered(let response)):
      let results = conversation.withLock { $0.results } ?? .list([])
      return Answered(client: client, response: response, results: results)
    case .reported(.nonsense): throw PortalFailure(.failed("the portal sent an invalid reply"))
    case .reported(.portalEnded):
      throw PortalFailure(.failed("the portal exited before it answered"))
    case .timedOut: throw PortalFailure(.timedOut)
    case .disconnected(let failure):
      throw PortalFailure(.failed("the connection to the message bus ended: \(failure)"))
    case nil: throw PortalFailure(.cancelled)
    }
  }

  /// Calls a method within the time limit of the request.
  func call(
    _ client: BusClient, _ call: BusCall, noting: (@Sendable (BusReply) -> Void)? = nil
  ) async throws(PortalFailure) -> BusReply {
    let left = deadline - .now
    guard left > .zero || call.member == "Close" else { throw PortalFailure(.timedOut) }
    do throws(BusFailure) {
      return try await client.call(
        call, within: left > .zero ? min(left, Self.longestCall) : .seconds(1), noting: noting)
    } catch {
      throw PortalFailure(of: error)
    }
  }
}

extension PortalExchange {
  /// Requests access to the camera, and opens the connection to PipeWire if the user grants it.
  static func camera(_ request: PortalRequest, on address: BusAddress) async -> PortalReply {
    let exchange = PortalExchange(application: request.application, timeout: request.timeout)
    do throws(PortalFailure) {
      let answered = try await exchange.ask(on: address) { PortalCalls.accessCamera($0) }
      guard answered.response == .granted else { return PortalReply(answered.response.outcome) }
      return PortalReply(granting: try await exchange.remote(answered.client))
    } catch {
      return PortalReply(error.outcome)
    }
  }

  private func remote(_ client: BusClient) async throws(PortalFailure) -> DeviceDescriptor {
    let reply: BusReply
    do throws(PortalFailure) {
      reply = try await call(client, PortalCalls.openRemote)
    } catch {
      throw error.outcome == .forbidden ? PortalFailure(.withheld) : error
    }
    guard let number = PortalReplyParser.remote(reply.values)?.take() else {
      throw PortalFailure(.failed("the portal returned no descriptor"))
    }
    let remote = DeviceDescriptor(adopting: number)
    var status = stat()
    guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
      throw PortalFailure(.failed("the portal returned something other than a connection"))
    }
    return remote
  }
}

extension PortalExchange {
  /// Limits that allow more files than are reported; a larger answer is rejected as a whole.
  ///
  /// A URI needs three bytes for each escaped byte of a path.
  private static let fileLimits = BusLimits(text: FileURI.longest, values: 1 << 16, depth: 8)

  /// Asks the user to choose files.
  static func files(_ request: PortalFileRequest, on address: BusAddress) async -> PortalFileReply {
    let texts = [request.title, request.acceptLabel, request.application]
    guard !texts.contains(where: { $0?.utf8.contains(0) == true }) else {
      return PortalFileReply(.failed("a text of the request contains a NUL byte"))
    }
    let exchange = PortalExchange(
      application: request.application, timeout: request.timeout, limits: fileLimits)
    do throws(PortalFailure) {
      let answered = try await exchange.ask(on: address) { PortalCalls.openFile(request, $0) }
      guard answered.response == .granted else {
        return PortalFileReply(answered.response.outcome)
      }
      return PortalReplyParser.files(answered.results)
        ?? PortalFileReply(.failed("the portal sent an invalid reply"))
    } catch {
      return PortalFileReply(error.outcome)
    }
  }
}

/// The state of one request: its object path, and the signals that arrived before it was known.
///
/// Any program on the bus can send a signal that resembles an answer. Only a signal that the portal
/// itself sent for this object is accepted.
package struct PortalRequestState {
  /// The event that ends the request.
  package enum End: Hashable, Sendable {
    case answered(PortalResponse)
    /// The portal's answer could not be parsed.
    case nonsense
    /// The portal left the bus.
    case portalEnded
  }

  /// A limit that exceeds the number of signals that a portal sends for one request.
  private static let mostEarly = 32

  /// The connection's unique name; `nil` until the bus has assigned it.
  package private(set) var ownName: String?
  /// The results that came with the answer, a dictionary of untrusted values.
  package private(set) var results: BusValue?
  private var portal: String?
  private var path: String?
  private var early: [BusIncoming] = []

  package init() {}

  /// Processes a signal.
  ///
  /// - Returns: The event that ends the request, if the signal is one.
  package mutating func receive(_ signal: BusIncoming) -> End? {
    guard signal.isSignal else { return nil }
    if signal.sender == "org.freedesktop.DBus" {
      if signal.member == "NameAcquired", ownName == nil,
        let name = signal.arguments.first?.text, name.hasPrefix(":")
      {
        ownName = name
      }
      guard let portal, let change = signal.ownerChange, change.name == PortalCalls.portal,
        change.before == portal
      else { return nil }
      return .portalEnded
    }
    guard signal.interface == PortalCalls.requestInterface, signal.member == "Response" else {
      return nil
    }
    guard path != nil else {
      if early.count < Self.mostEarly { early.append(signal) }
      return nil
    }
    return end(signal)
  }

  /// Records the object that the portal created for the request.
  ///
  /// - Parameters:
  ///   - path: The path of the object.
  ///   - portal: The unique name of the portal.
  /// - Returns: The event that ends the request, if it arrived before the path was known.
  package mutating func begin(_ path: String, of portal: String) -> End? {
    self.path = path
    self.portal = portal
    let signals = early
    early = []
    for signal in signals {
      if let end = end(signal) { return end }
    }
    return nil
  }

  private mutating func end(_ signal: BusIncoming) -> End? {
    guard signal.path == path, signal.sender == portal else { return nil }
    guard let response = PortalReplyParser.response(signal.arguments) else { return .nonsense }
    // Only the first answer is used.
    if results == nil { results = signal.arguments[1] }
    return .answered(response)
  }
}

/// The failure of a request to a portal.
struct PortalFailure: Error {
  /// The outcome to report.
  let outcome: PortalOutcome

  init(_ outcome: PortalOutcome) { self.outcome = outcome }

  /// Creates the failure that an error of the message bus causes.
  init(of failure: BusFailure) {
    guard failure.name != PortalCalls.notAllowed else {
      outcome = .forbidden
      return
    }
    outcome =
      switch failure.meaning {
      case .timedOut: .timedOut
      case .cancelled: .cancelled
      case .absent: .absent(failure.description)
      case .missingBus: .absent("there is no message bus of the session")
      case .exited: .failed("the portal exited before it answered")
      case .other: .failed(failure.description)
      }
  }

  /// A Boolean value that indicates whether the portal may still be asking the user.
  var leavesDialog: Bool {
    switch outcome {
    case .timedOut, .cancelled: true
    case .granted, .refused, .withheld, .interrupted, .forbidden, .absent, .failed: false
    }
  }
}

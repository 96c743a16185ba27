public import Foundation
internal import JSONText
internal import LegoKit
internal import Synchronization

/// Answers for endpoints in tests and previews, without servers.
///
/// Only the network is replaced. Requests are built and checked, tokens are requested, redirects
/// are followed, status codes are checked, calls are repeated and answers are decoded. Of the time
/// limits, only the one for a response applies, so nothing else sleeps on the clock of a test,
/// except for delays.
///
/// ```swift
/// let stubs = EndpointStubs()
/// stubs.on(GetPhoto.self) { .answer(Photo(id: $0.id)) }
/// let endpoints = Endpoints(stubs: stubs)
/// ```
public final class EndpointStubs: Sendable {
  typealias Answer = @Sendable (any Sendable) -> StubAnswer<any Sendable>?

  private struct State {
    var answers: [ObjectIdentifier: Answer] = [:]
    var sent: [SentRequest] = []
  }

  /// The maximum number of recorded requests.
  private static let memory = 10_000

  private let state = Mutex(State())

  /// Creates stubs without answers: every call fails with `.noStub`.
  public init() {}

  /// Sets the answers for all endpoints of a type, and replaces earlier ones.
  ///
  /// - Parameters:
  ///   - type: The type of the endpoints.
  ///   - answer: Returns the answer to a request. It is called for each attempt.
  public func on<E: Endpoint>(
    _ type: E.Type, _ answer: @escaping @Sendable (E) -> StubAnswer<E.Answer>
  ) {
    let erased: Answer = { endpoint in (endpoint as? E).map { answer($0).erased } }
    state.withLock { $0.answers[ObjectIdentifier(type)] = erased }
  }

  /// Sets answers that the endpoints of a type receive in order.
  ///
  /// The last one is repeated.
  public func on<E: Endpoint>(
    _ type: E.Type, inTurn first: StubAnswer<E.Answer>, _ others: StubAnswer<E.Answer>...
  ) {
    let answers = [first] + others
    let counter = Counter()
    on(type) { _ in answers[min(counter.next(), answers.count - 1)] }
  }

  /// The sent requests, in order.
  public var sent: [SentRequest] { state.withLock { $0.sent } }

  /// Records a request, and returns its answer.
  func answer(to request: ServerRequest) -> StubAnswer<any Sendable>? {
    let answer = state.withLock { state in
      if state.sent.count >= Self.memory { state.sent.removeFirst() }
      state.sent.append(
        SentRequest(
          method: request.method, url: request.url, headers: request.headers, body: request.body))
      return state.answers[ObjectIdentifier(type(of: request.endpoint))]
    }
    return answer?(request.endpoint)
  }
}

/// The answer of a stub.
public struct StubAnswer<Answer: Sendable>: Sendable {
  enum Kind: Sendable {
    case ready(Answer)
    case response(status: Int, headers: HTTPHeaders, body: Data)
    case failure(EndpointError.Code)
    case silence
    case unencodable
  }

  let kind: Kind
  private(set) var delay: Duration

  fileprivate init(_ kind: Kind, after delay: Duration = .zero) {
    self.kind = kind
    self.delay = delay
  }

  /// An answer that is returned directly, without checking a status code or decoding a body.
  public static func answer(_ answer: Answer) -> StubAnswer { StubAnswer(.ready(answer)) }

  /// A response.
  public static func response(
    status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()
  ) -> StubAnswer {
    StubAnswer(.response(status: status, headers: headers, body: body))
  }

  /// A response with a value as JSON.
  public static func json(_ value: some Encodable, status: Int = 200) -> StubAnswer {
    guard let body = try? JSONEncoder().encode(value) else { return StubAnswer(.unencodable) }
    return response(status: status, headers: ["Content-Type": "application/json"], body: body)
  }

  /// A failure without a response, such as `.connectionLost`.
  public static func failure(_ code: EndpointError.Code) -> StubAnswer {
    StubAnswer(.failure(code))
  }

  /// No response: the call waits until its time limit for a response.
  public static var silence: StubAnswer { StubAnswer(.silence) }

  /// Returns the same answer with a delay.
  ///
  /// The delay uses the clock of the contractors. If it exceeds the time limit for a response, the
  /// call fails when that limit is reached.
  public func after(_ delay: Duration) -> StubAnswer {
    var result = self
    result.delay = delay
    return result
  }

  /// The same answer with an erased type.
  var erased: StubAnswer<any Sendable> {
    let kind: StubAnswer<any Sendable>.Kind =
      switch kind {
      case .ready(let answer): .ready(answer)
      case .response(let status, let headers, let body):
        .response(status: status, headers: headers, body: body)
      case .failure(let code): .failure(code)
      case .silence: .silence
      case .unencodable: .unencodable
      }
    return StubAnswer<any Sendable>(kind, after: delay)
  }
}

/// A request that was sent to stubs, with everything that a server would receive.
public struct SentRequest: Hashable, Sendable, CustomStringConvertible {
  /// The method.
  public let method: HTTPMethod
  /// The address, with its query.
  public let url: URL
  /// The header fields, including the credentials.
  public let headers: HTTPHeaders
  /// The body; `nil` if the request has none.
  public let body: Data?

  /// The method and the address, without the query.
  public var description: String { "\(method) \(url.printable)" }
}

/// Counts from zero.
private final class Counter: Sendable {
  private let value = Atomic(0)

  func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// Passes requests to stubs.
struct StubTransport: Transport {
  let stubs: EndpointStubs

  var needsClock: Bool { false }

  func send(_ request: ServerRequest) async throws(EndpointError) -> ServerAnswer {
    if Task.isCancelled { throw error(.cancelled, request, "the task was cancelled") }
    guard let answer = stubs.answer(to: request) else {
      let type = JSONQuotes.escaped("\(type(of: request.endpoint))")
      throw error(.noStub, request, "there is no stub for \(type)")
    }
    if case .silence = answer.kind {
      try await wait(request.responseLimit, request)
      throw timedOut(request)
    }
    try await wait(min(answer.delay, request.responseLimit), request)
    if answer.delay > request.responseLimit { throw timedOut(request) }
    return try result(answer.kind, request)
  }

  func close() async {}

  private func result(
    _ kind: StubAnswer<any Sendable>.Kind, _ request: ServerRequest
  ) throws(EndpointError) -> ServerAnswer {
    switch kind {
    case .ready(let answer):
      return ServerAnswer(
        response: EndpointResponse(status: 200, url: request.url), stubbedAnswer: answer)
    case .response(let status, let headers, let body):
      let response = EndpointResponse(
        status: status, headers: headers, body: body, url: request.url)
      if body.count > request.byteLimit {
        throw error(.tooLarge, request, "the body has more than \(request.byteLimit) bytes")
      }
      request.progress?(EndpointProgress(.received, bytes: body.count, total: body.count))
      return ServerAnswer(response: response)
    case .failure(let code): throw error(code, request, "the stub failed")
    case .silence: throw timedOut(request)
    case .unencodable: throw error(.noStub, request, "the stub's value cannot be encoded")
    }
  }

  private func wait(_ delay: Duration, _ request: ServerRequest) async throws(EndpointError) {
    guard delay > .zero else { return }
    do { try await Contractors().clock.sleep(for: delay) } catch {
      throw self.error(.cancelled, request, "the task was cancelled")
    }
  }

  private func timedOut(_ request: ServerRequest) -> EndpointError {
    error(.timedOut, request, "no response within \(request.responseLimit)")
  }

  private func error(
    _ code: EndpointError.Code, _ request: ServerRequest, _ reason: String
  ) -> EndpointError {
    EndpointError(code, request.printable, reason)
  }
}

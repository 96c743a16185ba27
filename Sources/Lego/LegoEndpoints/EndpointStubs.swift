public import Foundation
internal import JSONText
internal import LegoKit
internal import Synchronization

/// Predefined answers that replace the server in tests and previews.
///
/// Stubs replace only the network. Requests are still built and checked, tokens are requested,
/// redirects are followed, and calls are retried. Status codes are checked and answers are decoded,
/// unless a stub provides the decoded answer itself.
///
/// The time limit ``EndpointLimits/whole`` does not apply, so only delays and
/// ``StubAnswer/silence`` wait on the clock of a test.
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
  ///
  /// When this number is exceeded, the oldest request is removed.
  private static let memory = 10_000

  private let state = Mutex(State())

  /// Creates stubs without answers.
  ///
  /// A call to an endpoint without an answer fails with ``EndpointError/Code/noStub``.
  public init() {}

  /// Sets the answers for all endpoints of a type, replacing any previous answers.
  ///
  /// - Parameters:
  ///   - type: The type of the endpoints.
  ///   - answer: Returns the answer for an endpoint. It is called for each request, including
  ///     retries and redirects.
  public func on<E: Endpoint>(
    _ type: E.Type, _ answer: @escaping @Sendable (E) -> StubAnswer<E.Answer>
  ) {
    let erased: Answer = { endpoint in (endpoint as? E).map { answer($0).erased } }
    state.withLock { $0.answers[ObjectIdentifier(type)] = erased }
  }

  /// Sets the answers that requests to endpoints of a type receive in turn, replacing any previous
  /// answers.
  ///
  /// The last answer is repeated.
  public func on<E: Endpoint>(
    _ type: E.Type, inTurn first: StubAnswer<E.Answer>, _ others: StubAnswer<E.Answer>...
  ) {
    let answers = [first] + others
    let counter = Counter()
    on(type) { _ in answers[min(counter.next(), answers.count - 1)] }
  }

  /// The requests that were sent to the stubs, in order.
  ///
  /// Only the last 10,000 requests are kept.
  public var sent: [SentRequest] { state.withLock { $0.sent } }

  /// Records a request, and returns its answer, or `nil` if there is none.
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

/// An answer from a stub.
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

  /// Returns an answer that is already decoded.
  ///
  /// No status code is checked, and no body is decoded.
  public static func answer(_ answer: Answer) -> StubAnswer { StubAnswer(.ready(answer)) }

  /// Returns a response with a status code, header fields and a body.
  public static func response(
    status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()
  ) -> StubAnswer {
    StubAnswer(.response(status: status, headers: headers, body: body))
  }

  /// Returns a response whose body is a value encoded as JSON.
  ///
  /// If the value cannot be encoded, the call fails with ``EndpointError/Code/noStub``.
  public static func json(_ value: some Encodable, status: Int = 200) -> StubAnswer {
    guard let body = try? JSONEncoder().encode(value) else { return StubAnswer(.unencodable) }
    return response(status: status, headers: ["Content-Type": "application/json"], body: body)
  }

  /// Returns a failure without a response, such as ``EndpointError/Code/connectionLost``.
  public static func failure(_ code: EndpointError.Code) -> StubAnswer {
    StubAnswer(.failure(code))
  }

  /// An answer that never arrives, so the request times out after ``EndpointLimits/response``.
  public static var silence: StubAnswer { StubAnswer(.silence) }

  /// Returns this answer with a delay.
  ///
  /// The delay uses the clock of the current `Contractors`. If the delay exceeds
  /// ``EndpointLimits/response``, the request fails when that time has elapsed.
  public func after(_ delay: Duration) -> StubAnswer {
    var result = self
    result.delay = delay
    return result
  }

  /// This answer with its type erased.
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
  /// The HTTP method of the request.
  public let method: HTTPMethod
  /// The URL, including its query.
  public let url: URL
  /// The header fields, including the credentials.
  public let headers: HTTPHeaders
  /// The body, or `nil` if the request has none.
  public let body: Data?

  /// The method and the URL, without the query.
  public var description: String { "\(method) \(url.printable)" }
}

/// Counts from zero.
private final class Counter: Sendable {
  private let value = Atomic(0)

  func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// A transport that passes requests to stubs.
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

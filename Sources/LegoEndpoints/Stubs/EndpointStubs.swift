internal import Synchronization

/// Answers for endpoints, in the place of servers, for tests and previews.
///
/// Everything but the network is real: requests are built and checked, tokens asked for, redirects
/// followed, statuses judged, calls tried again and answers read. No limit of time runs but the one
/// for a response, so that a test's clock has no other sleepers than delays and waits.
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

  /// How many requests are remembered: the last ones.
  public static let memory = 10_000

  private let state = Mutex(State())

  /// Creates stubs that answer nothing yet: each call fails with `.noStub`.
  public init() {}

  /// Answers all endpoints of a type; a later stub replaces an earlier one.
  ///
  /// - Parameters:
  ///   - type: The type of the endpoints.
  ///   - answer: Says what a request for an endpoint gets. It is called for each attempt.
  public func on<E: Endpoint>(
    _ type: E.Type, _ answer: @escaping @Sendable (E) -> StubAnswer<E.Answer>
  ) {
    let erased: Answer = { endpoint in (endpoint as? E).map { answer($0).erased } }
    state.withLock { $0.answers[ObjectIdentifier(type)] = erased }
  }

  /// Answers the requests for a type one after another; the last answer is given from then on.
  public func on<E: Endpoint>(
    _ type: E.Type, inTurn first: StubAnswer<E.Answer>, _ others: StubAnswer<E.Answer>...
  ) {
    let answers = [first] + others
    let turns = Turns()
    on(type) { _ in answers[min(turns.take(), answers.count - 1)] }
  }

  /// The requests that came, in order.
  public var sent: [SentRequest] { state.withLock { $0.sent } }

  /// Remembers a request, and finds what it gets.
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

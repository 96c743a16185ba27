public import Foundation
public import LegoKit

/// A client that sends requests to a server and decodes the responses.
///
/// Each request is described by an ``Endpoint``. Create one client for each server and keep it,
/// because it reuses connections. It opens no connection before the first request. It stores no
/// cookies, caches no responses, and sends only the credentials that you pass.
///
/// You can use a client from any thread or task.
public final class Endpoints: Sendable {
  /// The URL that the paths of endpoints are appended to, or `nil` if each endpoint has its own
  /// base.
  let base: URL?
  let builder: RequestBuilder
  let authentication: EndpointAuthentication
  let limits: EndpointLimits
  let retry: EndpointRetry
  let log: LogSink?
  let transport: any Transport

  /// Creates a client for a server.
  ///
  /// - Parameters:
  ///   - base: The URL that paths are appended to. It must have the scheme `http` or `https` and a
  ///     host, but no user, query or fragment. If `base` is `nil`, each endpoint needs its own
  ///     base.
  ///   - headers: The header fields that are sent with every request.
  ///   - authentication: The credentials, which are sent only to the origin of the base.
  ///   - limits: The limits of a call, unless the endpoint has its own limits.
  ///   - retry: The rules for retrying a call, unless the endpoint has its own rules.
  ///   - connections: The maximum number of shared connections to one host, and also the maximum
  ///     number of separate connections. A request gets a separate connection if it has a body or
  ///     is not idempotent.
  ///   - log: Receives a line for each response. The line omits the query, the header fields and
  ///     the body.
  public convenience init(
    base: URL? = nil, headers: HTTPHeaders = [:], authentication: EndpointAuthentication = .none,
    limits: EndpointLimits = .standard, retry: EndpointRetry = .standard, connections: Int = 6,
    log: LogSink? = nil
  ) {
    self.init(
      base: base, headers: headers, authentication: authentication, limits: limits, retry: retry,
      log: log, transport: NetworkTransport(connections: max(1, connections)))
  }

  /// Creates a client that receives its answers from stubs instead of a network.
  ///
  /// - Parameters:
  ///   - stubs: The stubs.
  ///   - base: The URL that paths are appended to.
  ///   - headers: The header fields that are sent with every request.
  ///   - authentication: The credentials, which are sent only to the origin of the base.
  ///   - limits: The limits of a call, unless the endpoint has its own limits.
  ///   - retry: The rules for retrying a call, unless the endpoint has its own rules.
  ///   - log: Receives a line for each response. The line omits the query, the header fields and
  ///     the body.
  public convenience init(
    stubs: EndpointStubs, base: URL? = URL(string: "https://stub.invalid"),
    headers: HTTPHeaders = [:], authentication: EndpointAuthentication = .none,
    limits: EndpointLimits = .standard, retry: EndpointRetry = .standard, log: LogSink? = nil
  ) {
    self.init(
      base: base, headers: headers, authentication: authentication, limits: limits, retry: retry,
      log: log, transport: StubTransport(stubs: stubs))
  }

  private init(
    base: URL?, headers: HTTPHeaders, authentication: EndpointAuthentication,
    limits: EndpointLimits, retry: EndpointRetry, log: LogSink?, transport: any Transport
  ) {
    self.base = base
    builder = RequestBuilder(base: base, headers: headers)
    self.authentication = authentication
    self.limits = limits
    self.retry = retry
    self.log = log
    self.transport = transport
  }

  /// Ends all calls with ``EndpointError/Code/closed``, and waits until every connection is closed.
  ///
  /// Later calls fail with the same code. If a client is released without being closed, its
  /// connections are closed soon afterwards. For a client with stubs, this method does nothing.
  public func close() async { await transport.close() }
}

extension Endpoints {
  /// Sends the request of an endpoint, and returns the answer.
  ///
  /// If the task is cancelled, the call ends immediately with ``EndpointError/Code/cancelled``, and
  /// the request is cancelled. Delays and time limits use the clock of the current `Contractors`.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint.
  ///   - progress: Receives the progress, one value at a time. If several values arrive while the
  ///     closure is running, it next receives only the newest value. The closure is not called
  ///     after the method has returned.
  /// - Throws: An ``EndpointError``, whose code indicates the cause.
  /// - Returns: The answer.
  @concurrent
  public func answer<E: Endpoint>(
    to endpoint: E, progress: (@Sendable (EndpointProgress) -> Void)? = nil
  ) async throws(EndpointError) -> E.Answer {
    let limits = endpoint.limits ?? limits
    let first = try builder.request(for: endpoint, limits: limits)
    let call = EndpointCall(
      client: self, first: first, limits: limits, retry: endpoint.retry ?? retry,
      success: endpoint.success)
    let answer = try await call.answer(progress: progress)
    if let stubbed = answer.stubbedAnswer as? E.Answer { return stubbed }
    do { return try endpoint.answer(from: answer.response) } catch {
      throw EndpointError(
        .notDecodable, first.printable, DecodingProblem.reason(error, of: E.Answer.self),
        response: answer.response)
    }
  }
}

extension Endpoints {
  /// Sends the request of an endpoint immediately, and returns a future for its answer.
  ///
  /// The call continues even if nothing subscribes to the future. To make the call cancellable, use
  /// the effect `Effect.answer(to:)` instead.
  public func future<E: Endpoint>(_ endpoint: E) -> Future<E.Answer, EndpointError> {
    Future { promise in
      Task(name: "endpoint") {
        do throws(EndpointError) {
          promise(.success(try await self.answer(to: endpoint)))
        } catch {
          promise(.failure(error))
        }
      }
    }
  }
}

extension Effect {
  /// Returns an effect that calls an endpoint, and then sends a change with the answer or the
  /// error.
  ///
  /// The client is looked up when the effect runs. If the effect is cancelled, the request is
  /// cancelled as well, and no change is sent.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint.
  ///   - client: The key path of the client in `Contractors`.
  ///   - progress: Returns a change for each progress value. If `progress` is `nil`, the progress
  ///     is ignored.
  ///   - change: Returns a change for the answer or the error.
  /// - Returns: The effect.
  public static func answer<E: Endpoint>(
    to endpoint: E, from client: any KeyPath<Contractors, Endpoints> & Sendable = \.endpoints,
    progress: (@Sendable (EndpointProgress) -> Change)? = nil,
    _ change: @escaping @Sendable (Result<E.Answer, EndpointError>) -> Change
  ) -> Effect {
    .run(name: "endpoint") { send in
      let client = Contractors()[keyPath: client]
      let report = progress.map { change in { @Sendable value in send(change(value)) } }
      do throws(EndpointError) {
        send(change(.success(try await client.answer(to: endpoint, progress: report))))
      } catch {
        send(change(.failure(error)))
      }
    }
  }
}

extension Endpoints: Service {
  /// The default client, which has no base.
  ///
  /// Each endpoint therefore needs its own base.
  public static let contractor = Endpoints()
}

extension Contractors {
  /// The client that effects use by default.
  ///
  /// Set this property once when the program starts. In a test, use a client with stubs instead.
  /// For a second server, define your own service.
  public var endpoints: Endpoints {
    get { Self[Endpoints.self] }
    set { Self[Endpoints.self] = newValue }
  }
}

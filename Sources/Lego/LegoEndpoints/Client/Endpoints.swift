public import Foundation
public import LegoKit

/// A client that sends endpoints to a server and decodes the answers.
///
/// Create one client for each server and keep it, because it reuses connections. It opens no
/// connection before the first request. It has no cookies, no cache, and only the credentials that
/// you pass.
///
/// You can use it from any thread and task.
public final class Endpoints: Sendable {
  /// The address that the paths of endpoints are appended to.
  let base: URL?
  let builder: RequestBuilder
  let authentication: EndpointAuthentication
  let limits: EndpointLimits
  let retry: EndpointRetry
  let log: LogSink?
  let transport: any Transport

  /// Creates a client of a server.
  ///
  /// - Parameters:
  ///   - base: The address that paths are appended to: `http` or `https`, with a host, and without
  ///     a user, a query or a fragment. Without it, each endpoint needs its own base.
  ///   - headers: The header fields of every request.
  ///   - authentication: The credentials, which are sent only to the origin of the base.
  ///   - limits: The limits of a call, for endpoints without their own.
  ///   - retry: The rules for repeating calls, for endpoints without their own.
  ///   - connections: The maximum number of shared connections to one host, and the maximum number
  ///     of other connections. A request has its own connection if it has a body or is not
  ///     idempotent.
  ///   - log: Receives a line for each response, without queries, fields and bodies.
  public convenience init(
    base: URL? = nil, headers: HTTPHeaders = [:], authentication: EndpointAuthentication = .none,
    limits: EndpointLimits = .standard, retry: EndpointRetry = .standard, connections: Int = 6,
    log: LogSink? = nil
  ) {
    self.init(
      base: base, headers: headers, authentication: authentication, limits: limits, retry: retry,
      log: log, transport: NetworkTransport(connections: max(1, connections)))
  }

  /// Creates a client that receives answers from stubs, without a network.
  ///
  /// - Parameters:
  ///   - stubs: The stubs.
  ///   - base: The address that paths are appended to.
  ///   - headers: The header fields of every request.
  ///   - authentication: The credentials.
  ///   - limits: The limits of a call, for endpoints without their own.
  ///   - retry: The rules for repeating calls, for endpoints without their own.
  ///   - log: Receives a line for each response.
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

  /// Ends all calls with `.closed`, and waits until every connection is closed.
  ///
  /// Later calls also fail with `.closed`. A client that is released without this call closes its
  /// connections soon afterwards.
  public func close() async { await transport.close() }
}

extension Endpoints {
  /// Sends an endpoint and returns its answer.
  ///
  /// Cancelling the task immediately ends the call with `.cancelled`, and cancels the request.
  /// Delays use the clock of the contractors.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint.
  ///   - progress: Receives the progress, one value at a time. If several values arrive while it
  ///     runs, it receives only the newest one. It is not called after the end.
  /// - Throws: ``EndpointError``, with a code for each reason.
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
  /// Sends an endpoint immediately, and returns a future for its answer.
  ///
  /// The call continues even if nothing waits for it. An effect, `Effect.answer(to:)`, is cancelled
  /// with its id.
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
  /// Sends an endpoint, and sends a change with its answer or error.
  ///
  /// The client is read when the effect runs. Cancelling the effect cancels the request, and then
  /// no change is sent.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint.
  ///   - client: The client, as a property of `Contractors`.
  ///   - progress: Makes changes from the progress; `nil` for none.
  ///   - change: Makes a change from the answer or the error.
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
  /// A client without a base, for endpoints with their own.
  public static let contractor = Endpoints()
}

extension Contractors {
  /// The client for effects and adaptors.
  ///
  /// Set it once when the program starts. In tests, replace it with a stubbed client. For a second
  /// server, define your own service.
  public var endpoints: Endpoints {
    get { Self[Endpoints.self] }
    set { Self[Endpoints.self] = newValue }
  }
}

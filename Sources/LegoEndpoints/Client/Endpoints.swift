public import Foundation
public import LegoKit

/// A client of a server, which sends endpoints and reads their answers.
///
/// Make one for each server, and keep it: connections stay open for the next request. It opens
/// nothing before the first request. It keeps no cookies and no cache, and has no credentials but
/// those it is given.
///
/// It may be used from any thread and task.
public final class Endpoints: Sendable {
  /// The address that the paths of endpoints are below.
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
  ///   - base: The address that paths are below: `http` or `https`, with a host, and without user,
  ///     query and fragment. Without one, each endpoint needs its own.
  ///   - headers: Fields for each request.
  ///   - authentication: How the client shows who it is, to the base's origin alone.
  ///   - limits: How much a call may take, for endpoints that do not say.
  ///   - retry: When calls are tried again, for endpoints that do not say.
  ///   - connections: How many connections to one host there are at most for requests that share
  ///     them, and how many at most for those that have one of their own, which are requests with a
  ///     body and those that are not idempotent.
  ///   - log: Gets a line for each response, without queries, fields and bodies.
  public convenience init(
    base: URL? = nil, headers: HTTPHeaders = [:], authentication: EndpointAuthentication = .none,
    limits: EndpointLimits = .standard, retry: EndpointRetry = .standard, connections: Int = 6,
    log: LogSink? = nil
  ) {
    self.init(
      base: base, headers: headers, authentication: authentication, limits: limits, retry: retry,
      log: log, transport: NetworkTransport(connections: max(1, connections)))
  }

  /// Creates a client that stubs answer, without a network.
  ///
  /// - Parameters:
  ///   - stubs: What answers.
  ///   - base: The address that paths are below.
  ///   - headers: Fields for each request.
  ///   - authentication: How the client shows who it is.
  ///   - limits: How much a call may take, for endpoints that do not say.
  ///   - retry: When calls are tried again, for endpoints that do not say.
  ///   - log: Gets a line for each response.
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
  /// Later calls fail with `.closed`, too. A client that goes away without it closes its
  /// connections by itself, soon afterwards.
  public func close() async { await transport.close() }
}

extension Endpoints {
  /// Sends an endpoint and waits for its answer.
  ///
  /// Cancelling the task ends the call at once with `.cancelled`, and the request with it. Waits
  /// are those of the clock among the contractors.
  ///
  /// - Parameters:
  ///   - endpoint: What the server is asked.
  ///   - progress: Told how much was sent and received, one value at a time; values that come
  ///     while it works are dropped, but for the newest. It is not called after the end.
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
  /// Sends an endpoint at once, and gives its answer as a future.
  ///
  /// The call runs on when nobody waits for it any more. An effect,
  /// `Effect.answer(to:)`, is cancelled with its id.
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
  /// Sends an endpoint, and its answer or error as a change.
  ///
  /// The client is looked up when the effect runs. When the effect is cancelled, so is the request,
  /// and no change comes of it.
  ///
  /// - Parameters:
  ///   - endpoint: What the server is asked.
  ///   - client: The client, a property of `Contractors`.
  ///   - progress: Makes changes of the progress; `nil` for none.
  ///   - change: Makes a change of the answer or the error.
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
  /// A client without a base, for endpoints that have their own.
  public static let contractor = Endpoints()
}

extension Contractors {
  /// The client that effects and adaptors call.
  ///
  /// A program sets it once, when it starts; a test puts one with stubs in its place. A program
  /// with several servers makes a service for each, as it would for any other.
  public var endpoints: Endpoints {
    get { Self[Endpoints.self] }
    set { Self[Endpoints.self] = newValue }
  }
}

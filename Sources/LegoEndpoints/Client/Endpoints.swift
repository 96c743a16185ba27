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
  public let base: URL?
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

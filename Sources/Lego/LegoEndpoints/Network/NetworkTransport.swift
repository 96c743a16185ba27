internal import Foundation
internal import LegoKit

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A transport that sends requests to servers.
///
/// A server may close an idle connection just before it is reused. libcurl then sends the request a
/// second time, which must not happen if the request is not idempotent. If the request has a body,
/// Foundation does not provide the body a second time, and both sides wait forever. Such requests
/// therefore get their own session and connection. A `Connection: close` field is not enough,
/// because libcurl reuses the connection anyway. All other requests share one long-lived
/// session.
final class NetworkTransport: Transport {
  private let shared: SessionPool
  private let single: SessionPool

  /// Creates a transport that opens no connection before the first request.
  init(connections: Int) {
    shared = SessionPool(connections: connections, sharesConnections: true)
    single = SessionPool(connections: connections, sharesConnections: false)
  }

  deinit {
    shared.abandon()
    single.abandon()
  }

  var needsClock: Bool { true }

  func send(_ request: ServerRequest) async throws(EndpointError) -> ServerAnswer {
    let exchange = Exchange(request)
    let clock = Contractors().clock
    let limit = request.responseLimit
    let watch = Task {
      do { try await clock.sleep(for: limit) } catch { return }
      exchange.expire()
    }
    defer { watch.cancel() }
    let isSingle = request.body != nil || !request.method.isIdempotent
    let pool = isSingle ? single : shared
    return ServerAnswer(response: try await pool.run(exchange, Self.urlRequest(request, isSingle)))
  }

  func close() async {
    await shared.close()
    await single.close()
  }

  private static func urlRequest(_ request: ServerRequest, _ isSingle: Bool) -> URLRequest {
    // The clock enforces the time limits, because the session's own timeout is in whole seconds.
    var result = URLRequest(
      url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 604_800)
    result.httpMethod = request.method.name
    for name in request.headers.names {
      result.setValue(request.headers[name], forHTTPHeaderField: name)
    }
    if isSingle { result.setValue("close", forHTTPHeaderField: "Connection") }
    result.httpBody = request.body
    return result
  }
}

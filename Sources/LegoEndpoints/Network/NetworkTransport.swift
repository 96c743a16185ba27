internal import Foundation
internal import LegoKit

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Carries requests to servers.
///
/// A connection that is used again may have been closed by the server meanwhile. libcurl then sends
/// the request once more, which must not happen to one that is not idempotent; and if it has a body,
/// Foundation does not give it the body again, so that both sides wait. Such requests get a session,
/// and so a connection, of their own; asking for the end of a connection in a field of the request
/// does not keep libcurl from using it again. All others share one long-lived session.
final class NetworkTransport: Transport {
  private let shared: SessionLane
  private let single: SessionLane

  /// Creates a transport, which opens nothing before it is used.
  init(connections: Int) {
    shared = SessionLane(connections: connections, sharesConnections: true)
    single = SessionLane(connections: connections, sharesConnections: false)
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
    let lane = isSingle ? single : shared
    return ServerAnswer(response: try await lane.run(exchange, Self.urlRequest(request, isSingle)))
  }

  func close() async {
    await shared.close()
    await single.close()
  }

  private static func urlRequest(_ request: ServerRequest, _ isSingle: Bool) -> URLRequest {
    // The limits of time are those of the clock; the session's own counts whole seconds.
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

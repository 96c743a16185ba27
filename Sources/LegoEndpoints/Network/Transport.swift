internal import Foundation
internal import JSONText

/// What carries requests to servers: the network, or stubs.
protocol Transport: Sendable {
  /// Sends a request and waits for the response, whatever its status.
  ///
  /// It follows no redirect. When the task is cancelled it ends at once.
  func send(_ request: ServerRequest) async throws(EndpointError) -> ServerAnswer

  /// Whether the time limits of calls are to be kept by the clock; else it keeps them itself.
  var needsClock: Bool { get }

  /// Ends everything that runs, and waits for that.
  func close() async
}

/// A request with everything that is sent.
struct ServerRequest: Sendable {
  var method: HTTPMethod
  var url: URL
  var headers: HTTPHeaders
  var body: Data?
  /// The most bytes that the response's body may have.
  var byteLimit: Int
  /// How long to wait for the response's header.
  var responseLimit: Duration
  /// The endpoint that it came from, for stubs.
  var endpoint: any Sendable
  /// Told how much was sent and received, on the thread that does it.
  var progress: (@Sendable (EndpointProgress) -> Void)?

  /// The method and the address, for people.
  var printable: String { "\(method) \(url.printable)" }
}

/// What came back: a response, and for some stubs the endpoint's answer itself.
struct ServerAnswer: Sendable {
  var response: EndpointResponse
  var stubbedAnswer: (any Sendable)?
}

extension URL {
  /// The address without what may be secret, for people: no user, no query, no fragment.
  var printable: String {
    let text = absoluteString.prefix { $0 != "?" && $0 != "#" }
    guard let scheme = text.range(of: "://") else { return JSONQuotes.escaped(text, limit: 500) }
    let end = text[scheme.upperBound...].firstIndex(of: "/") ?? text.endIndex
    let authority = text[scheme.upperBound..<end]
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    return JSONQuotes.escaped(
      text[..<scheme.upperBound] + (host ?? authority) + text[end...], limit: 500)
  }
}

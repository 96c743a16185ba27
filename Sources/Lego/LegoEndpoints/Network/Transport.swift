internal import Foundation
internal import JSONText

/// A type that sends requests to servers or to stubs.
protocol Transport: Sendable {
  /// Sends a request and returns the response, regardless of its status code.
  ///
  /// The method does not follow redirects. If the task is cancelled, the method throws an error
  /// immediately.
  func send(_ request: ServerRequest) async throws(EndpointError) -> ServerAnswer

  /// A Boolean value that indicates whether the caller must use the clock to enforce the time limit
  /// of a call.
  var needsClock: Bool { get }

  /// Ends all requests, and waits until they have ended.
  func close() async
}

/// A request that is ready to be sent.
struct ServerRequest: Sendable {
  var method: HTTPMethod
  var url: URL
  var headers: HTTPHeaders
  var body: Data?
  /// The maximum size of the response body in bytes.
  var byteLimit: Int
  /// The time limit for the response header.
  var responseLimit: Duration
  /// The endpoint that describes the request.
  ///
  /// Stubs use it to find an answer.
  var endpoint: any Sendable
  /// Receives the progress on the thread of the transfer.
  var progress: (@Sendable (EndpointProgress) -> Void)?

  /// The method and the URL, for messages.
  var printable: String { "\(method) \(url.printable)" }
}

/// A response, and the answer if a stub provides it directly.
struct ServerAnswer: Sendable {
  var response: EndpointResponse
  var stubbedAnswer: (any Sendable)?
}

extension URL {
  /// The URL for messages, without the user, the query and the fragment, which may be secret.
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

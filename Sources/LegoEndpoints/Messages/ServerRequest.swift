internal import Foundation

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

internal import Foundation
internal import JSONText

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Translates the errors of a session.
enum TransferFailure {
  static func meaning(
    of error: any Error, afterHeader: Bool
  ) -> (EndpointError.Code, String) {
    let error = error as NSError
    let text = JSONQuotes.escaped(error.localizedDescription)
    guard error.domain == NSURLErrorDomain else { return (.failed, text) }
    // On Linux, every other failure of a connection is an unknown error.
    if afterHeader {
      return (.connectionLost, "the connection ended within the response: \(text)")
    }
    return switch error.code {
    case NSURLErrorTimedOut: (.timedOut, text)
    case NSURLErrorCannotFindHost: (.unreachable, "the host has no address: \(text)")
    case NSURLErrorCannotConnectToHost: (.unreachable, "nobody listens there: \(text)")
    case NSURLErrorNetworkConnectionLost, NSURLErrorBadServerResponse:
      (.connectionLost, "the connection ended without a response: \(text)")
    case NSURLErrorUnsupportedURL where text.contains("HTTP/0.9"):
      (.notHTTP, "the response is not HTTP")
    case NSURLErrorBadURL, NSURLErrorUnsupportedURL: (.invalidRequest, text)
    case NSURLErrorCancelled: (.cancelled, "the session was cancelled")
    default: (.failed, text)
    }
  }
}

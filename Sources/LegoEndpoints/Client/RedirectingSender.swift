internal import Foundation
internal import LegoKit

/// Sends requests, and follows where the responses lead.
struct RedirectingSender: Sendable {
  let client: Endpoints
  let limit: Int

  /// Whether an address is one of the server that the client's authentication is for.
  func isTrusted(_ url: URL) -> Bool {
    guard let base = client.base, let origin = Origin(base) else { return false }
    return Origin(url) == origin
  }

  /// Sends a request, with fields that go to the first origin alone.
  ///
  /// - Returns: The last answer, and whether its server got the fields.
  func send(
    _ first: ServerRequest, with fields: HTTPHeaders
  ) async throws(EndpointError) -> (answer: ServerAnswer, isTrusted: Bool) {
    var request = first
    // What once left the origin may come back to it under somebody else's direction.
    var isTrusted = true
    var redirects = 0
    while true {
      var sent = request
      if isTrusted { sent.headers = sent.headers.merging(fields) }
      let answer = try await client.transport.send(sent)
      client.log?.write("\(sent.printable): \(answer.response)")
      guard let next = try Redirect.request(after: answer.response, of: request) else {
        return (answer, isTrusted)
      }
      guard redirects < limit else {
        throw EndpointError(
          .redirect, first.printable, "more than \(limit) redirects", response: answer.response)
      }
      redirects += 1
      isTrusted = isTrusted && Origin(next.url) == Origin(first.url)
      request = next
    }
  }
}

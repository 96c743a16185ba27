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

/// The rules of redirects.
enum Redirect {
  private static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  /// The request that a response leads to, or `nil` when it leads nowhere.
  ///
  /// To another origin go neither fields that may be secret nor a body. From HTTPS none leads to
  /// HTTP.
  ///
  /// - Throws: `.redirect`.
  static func request(
    after response: EndpointResponse, of request: ServerRequest
  ) throws(EndpointError) -> ServerRequest? {
    guard statuses.contains(response.status), let location = response.headers["Location"] else {
      return nil
    }
    func refused(_ reason: String) -> EndpointError {
      EndpointError(.redirect, request.printable, reason, response: response)
    }
    guard location.utf8.count <= 65_536,
      let url = URL(string: location, relativeTo: request.url)?.absoluteURL,
      let origin = Origin(url), let before = Origin(request.url)
    else { throw refused("the redirect leads to an address that is not one of HTTP") }
    if before.scheme == "https", origin.scheme != "https" {
      throw refused("the redirect leads from HTTPS to HTTP")
    }
    var next = request
    next.url = url
    if response.status == 303 && request.method != .head
      || [301, 302].contains(response.status) && request.method == .post
    {
      next.method = .get
      next.body = nil
      next.headers["Content-Type"] = nil
    }
    if origin != before {
      if next.body != nil { throw refused("the redirect would send the body to another server") }
      next.headers = next.headers.withoutSecrets
    }
    return next
  }
}

/// A server, as far as trust goes: its scheme, host and port.
struct Origin: Hashable, Sendable {
  let scheme: String
  let host: String
  let port: Int

  /// The origin of an address; `nil` unless it is HTTP with a host and without a user.
  init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty,
      url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = url.port ?? (scheme == "https" ? 443 : 80)
  }
}

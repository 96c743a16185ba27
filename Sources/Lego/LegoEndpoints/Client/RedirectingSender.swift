internal import Foundation
internal import LegoKit

/// Sends requests and follows redirects.
struct RedirectingSender: Sendable {
  let client: Endpoints
  let limit: Int

  /// Returns a Boolean value that indicates whether a URL has the same origin as the client's base.
  func isTrusted(_ url: URL) -> Bool {
    guard let base = client.base, let origin = Origin(base) else { return false }
    return Origin(url) == origin
  }

  /// Sends a request and follows redirects.
  ///
  /// The fields are added to each request until a redirect leads to a different origin.
  ///
  /// - Returns: The last answer, and whether the last request included the fields.
  func send(
    _ first: ServerRequest, with fields: HTTPHeaders
  ) async throws(EndpointError) -> (answer: ServerAnswer, isTrusted: Bool) {
    var request = first
    // After a redirect to a different origin, that origin also controls any redirect back, so the
    // fields are never added again.
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

/// The rules for following redirects.
enum Redirect {
  private static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  /// Returns the next request after a redirect, or `nil` if the response is not a redirect.
  ///
  /// If the redirect leads to a different origin, fields that may be secret are removed, and the
  /// redirect is refused if the body would be sent again. A redirect from HTTPS to HTTP is always
  /// refused.
  ///
  /// - Throws: `.redirect` if the redirect is refused or does not lead to a valid HTTP URL.
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
    else { throw refused("the redirect does not lead to a valid HTTP address") }
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

/// The origin of a URL: its scheme, host and port.
struct Origin: Hashable, Sendable {
  let scheme: String
  let host: String
  let port: Int

  /// Creates the origin of an HTTP or HTTPS URL with a host and without a user, or returns `nil`
  /// for any other URL.
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

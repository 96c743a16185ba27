internal import Foundation

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

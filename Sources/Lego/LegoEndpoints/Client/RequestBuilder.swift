internal import Foundation
internal import JSONText

/// Creates requests from endpoints.
struct RequestBuilder: Sendable {
  /// The client's base, or `nil` if it has none.
  var base: URL?
  /// The header fields that the client sends with every request.
  var headers: HTTPHeaders

  /// Creates a request for an endpoint, without credentials.
  ///
  /// - Throws: `.invalidRequest` if the request cannot be sent.
  func request(
    for endpoint: some Endpoint, limits: EndpointLimits
  ) throws(EndpointError) -> ServerRequest {
    let (method, path, body) = (endpoint.method, endpoint.path, endpoint.body)
    let place = "\(method) \(JSONQuotes.escaped(path.encoded, limit: 500))"
    func check(_ isRight: Bool, _ reason: @autoclosure () -> String) throws(EndpointError) {
      if !isRight { throw EndpointError(.invalidRequest, place, reason()) }
    }
    try check(HTTPSyntax.isName(method.name), "the method is not valid in HTTP")
    if let problem = path.problem { try check(false, problem) }
    let url = try address(endpoint.base ?? base, path, endpoint.query, place)
    var headers = headers.merging(endpoint.headers)
    try check(
      body.encode == nil || method.allowsBody, "a request with \(method) cannot have a body")
    if body.encode != nil, headers["Content-Type"] == nil { headers["Content-Type"] = body.type }
    try Self.check(headers, place)
    let data: Data?
    do { data = try body.encode?() } catch {
      throw EndpointError(.invalidRequest, place, "the body cannot be encoded: \(type(of: error))")
    }
    return ServerRequest(
      method: method, url: url, headers: headers, body: data, byteLimit: limits.bytes,
      responseLimit: limits.response, endpoint: endpoint)
  }

  private func address(
    _ base: URL?, _ path: EndpointPath, _ query: QueryItems, _ place: String
  ) throws(EndpointError) -> URL {
    guard let base else {
      throw EndpointError(.invalidRequest, place, "neither the client nor the endpoint has a base")
    }
    guard Origin(base) != nil, base.query == nil, base.fragment == nil else {
      throw EndpointError(
        .invalidRequest, place,
        "the base must be an HTTP address with a host, and without a user, a query or a fragment")
    }
    var text = base.absoluteString
    if path.encoded.hasPrefix("/") { while text.hasSuffix("/") { text.removeLast() } }
    text += path.encoded
    if !query.isEmpty { text += "?" + query.encoded(by: PercentCoding.encoded) }
    guard text.utf8.count <= 65_536, let url = URL(string: text, encodingInvalidCharacters: false)
    else { throw EndpointError(.invalidRequest, place, "the address is not valid") }
    return url
  }

  /// The names of the header fields that only the connection may set.
  private static let reserved: Set<String> = [
    "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  /// Checks the names and values of header fields.
  ///
  /// - Throws: `.invalidRequest` if a name or a value is not valid, or only the connection may set
  ///   the field.
  static func check(_ headers: HTTPHeaders, _ place: String) throws(EndpointError) {
    for name in headers.names {
      guard HTTPSyntax.isName(name), HTTPSyntax.isValue(headers[name] ?? "") else {
        throw EndpointError(
          .invalidRequest, place,
          "the header field \(JSONQuotes.escaped(name)) is not valid in HTTP")
      }
      guard !reserved.contains(name.lowercased()) else {
        throw EndpointError(
          .invalidRequest, place, "the header field \(name) is set by the connection")
      }
    }
  }
}

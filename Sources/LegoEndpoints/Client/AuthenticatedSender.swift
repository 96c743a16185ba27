/// Sends requests with what the client is known by, and with a new token when one is refused.
struct AuthenticatedSender: Sendable {
  let sender: RedirectingSender

  func send(_ request: ServerRequest) async throws(EndpointError) -> ServerAnswer {
    guard sender.isTrusted(request.url) else {
      return try await sender.send(request, with: [:]).answer
    }
    switch sender.client.authentication.kind {
    case .none:
      return try await sender.send(request, with: [:]).answer
    case .invalid(let reason):
      throw EndpointError(.invalidRequest, request.printable, reason)
    case .field(let name, let value):
      return try await sender.send(request, with: fields(name, value, request)).answer
    case .tokens(let keeper):
      let token = try await keeper.token(insteadOf: nil)
      let (answer, isTrusted) = try await sender.send(request, with: bearer(token, request))
      guard answer.response.status == 401, isTrusted else { return answer }
      let other = try await keeper.token(insteadOf: token)
      return try await sender.send(request, with: bearer(other, request)).answer
    }
  }

  private func bearer(
    _ token: String, _ request: ServerRequest
  ) throws(EndpointError) -> HTTPHeaders {
    try fields("Authorization", "Bearer \(token)", request)
  }

  private func fields(
    _ name: String, _ value: String, _ request: ServerRequest
  ) throws(EndpointError) -> HTTPHeaders {
    var fields = HTTPHeaders()
    fields[name] = value
    try RequestBuilder.check(fields, request.printable)
    return fields
  }
}

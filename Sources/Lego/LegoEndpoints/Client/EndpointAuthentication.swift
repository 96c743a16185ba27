internal import Foundation
internal import JSONText

/// The credentials that a client sends with its requests.
///
/// Credentials are sent only to the origin of the client's base. They are not sent if an endpoint's
/// own base has a different origin, or after a redirect to a different origin. Printed output never
/// contains them.
public struct EndpointAuthentication: Sendable {
  enum Kind: Sendable {
    case none
    case field(name: String, value: String)
    case tokens(TokenCache)
    case invalid(reason: String)
  }

  let kind: Kind

  /// No credentials.
  public static let none = EndpointAuthentication(kind: .none)

  /// Returns credentials with a user name and a password (RFC 7617).
  ///
  /// If the user name contains a colon, calls that need the credentials fail with
  /// ``EndpointError/Code/invalidRequest``.
  public static func basic(user: String, password: String) -> EndpointAuthentication {
    guard !user.utf8.contains(UInt8(ascii: ":")) else {
      return EndpointAuthentication(kind: .invalid(reason: "the user name contains a colon"))
    }
    let pair = Data("\(user):\(password)".utf8).base64EncodedString()
    return .header("Authorization", "Basic \(pair)")
  }

  /// Returns credentials with a fixed bearer token.
  public static func bearer(_ token: String) -> EndpointAuthentication {
    .header("Authorization", "Bearer \(token)")
  }

  /// Returns credentials with a bearer token that a closure provides on demand.
  ///
  /// The closure is called when a token is first needed, and again when the server rejects the
  /// token with the status code 401. If several calls need a token at the same time, the closure is
  /// called only once. A rejected call is repeated once with the new token. If all calls that wait
  /// for the token are cancelled, the closure's task is cancelled as well.
  ///
  /// - Parameter provider: Returns a token. The closure's argument is the token that the server has
  ///   rejected, or `nil` if no token has been rejected.
  /// - Returns: The credentials. All clients that use them share the token.
  public static func bearer(
    _ provider: @escaping @Sendable (_ refused: String?) async throws -> String
  ) -> EndpointAuthentication {
    EndpointAuthentication(kind: .tokens(TokenCache(provider)))
  }

  /// Returns credentials that are sent in a header field, such as `X-Api-Key`.
  public static func header(_ name: String, _ value: String) -> EndpointAuthentication {
    EndpointAuthentication(kind: .field(name: name, value: value))
  }
}

extension EndpointAuthentication: CustomStringConvertible, CustomReflectable {
  /// A description of the credentials, without the secret.
  public var description: String {
    switch kind {
    case .none: "none"
    case .field(let name, _): "\(JSONQuotes.escaped(name)): …"
    case .tokens: "bearer …"
    case .invalid(let reason): reason
    }
  }

  /// A mirror that omits the secret, for `dump`.
  public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}

/// Sends requests with credentials, and repeats a request once with a new token if the server
/// rejects the first token.
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

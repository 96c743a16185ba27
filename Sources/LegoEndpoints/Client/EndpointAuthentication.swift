internal import Foundation
internal import JSONText

/// How a client shows who it is.
///
/// It is sent to the origin of the client's base alone: not to the base of an endpoint that has
/// another one, and not to where a redirect leads. It never appears in what is printed.
public struct EndpointAuthentication: Sendable {
  enum Kind: Sendable {
    case none
    case field(name: String, value: String)
    case tokens(TokenCache)
    case invalid(reason: String)
  }

  let kind: Kind

  /// Nothing.
  public static let none = EndpointAuthentication(kind: .none)

  /// A name and a password (RFC 7617).
  ///
  /// A name with a colon cannot be sent.
  public static func basic(user: String, password: String) -> EndpointAuthentication {
    guard !user.utf8.contains(UInt8(ascii: ":")) else {
      return EndpointAuthentication(kind: .invalid(reason: "the name of the user has a colon"))
    }
    let pair = Data("\(user):\(password)".utf8).base64EncodedString()
    return .header("Authorization", "Basic \(pair)")
  }

  /// A token that stays as it is.
  public static func bearer(_ token: String) -> EndpointAuthentication {
    .header("Authorization", "Bearer \(token)")
  }

  /// A token that is asked for when it is first needed, and again when the server refuses it (401).
  ///
  /// However many calls need the token at the same time, the closure runs once. A call that was
  /// refused is sent once more, with the new token. The closure's task is cancelled when no call
  /// waits for it any more.
  ///
  /// - Parameter provider: Gets the token that was refused, or `nil` at the beginning, and answers
  ///   with a token.
  /// - Returns: The authentication, which keeps the token for all clients that it is given to.
  public static func bearer(
    _ provider: @escaping @Sendable (_ refused: String?) async throws -> String
  ) -> EndpointAuthentication {
    EndpointAuthentication(kind: .tokens(TokenCache(provider)))
  }

  /// A field with a key, such as `X-Api-Key`.
  public static func header(_ name: String, _ value: String) -> EndpointAuthentication {
    EndpointAuthentication(kind: .field(name: name, value: value))
  }
}

extension EndpointAuthentication: CustomStringConvertible, CustomReflectable {
  /// The kind, without the secret.
  public var description: String {
    switch kind {
    case .none: "none"
    case .field(let name, _): "\(JSONQuotes.escaped(name)): …"
    case .tokens: "bearer …"
    case .invalid(let reason): reason
    }
  }

  /// Nothing but the kind, for `dump`.
  public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}

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

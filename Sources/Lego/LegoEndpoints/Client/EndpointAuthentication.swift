internal import Foundation
internal import JSONText

/// The credentials of a client.
///
/// They are sent only to the origin of the client's base: not to an endpoint with another base, and
/// not to the target of a redirect to another origin. They never appear in printed output.
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

  /// A user name and a password (RFC 7617).
  ///
  /// A user name with a colon cannot be sent.
  public static func basic(user: String, password: String) -> EndpointAuthentication {
    guard !user.utf8.contains(UInt8(ascii: ":")) else {
      return EndpointAuthentication(kind: .invalid(reason: "the user name contains a colon"))
    }
    let pair = Data("\(user):\(password)".utf8).base64EncodedString()
    return .header("Authorization", "Basic \(pair)")
  }

  /// A fixed token.
  public static func bearer(_ token: String) -> EndpointAuthentication {
    .header("Authorization", "Bearer \(token)")
  }

  /// A token that is requested when it is first needed, and again when the server refuses it (401).
  ///
  /// If several calls need the token at the same time, the closure runs once. A refused call is
  /// repeated once with the new token. When no call waits for the token any longer, the closure's
  /// task is cancelled.
  ///
  /// - Parameter provider: Returns a token. Its argument is the refused token, or `nil` the first
  ///   time.
  /// - Returns: The authentication. It keeps the token for all clients that use it.
  public static func bearer(
    _ provider: @escaping @Sendable (_ refused: String?) async throws -> String
  ) -> EndpointAuthentication {
    EndpointAuthentication(kind: .tokens(TokenCache(provider)))
  }

  /// A header field with a key, such as `X-Api-Key`.
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

  /// Only the kind, for `dump`.
  public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}

/// Sends requests with credentials, and repeats a request with a new token if the server refuses
/// one.
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

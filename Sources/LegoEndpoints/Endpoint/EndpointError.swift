public import Foundation

/// Why an endpoint gave no answer.
public struct EndpointError: Error, Hashable, Sendable {
  /// What went wrong.
  public let code: Code
  /// The method and the address, without a query.
  public internal(set) var request: String
  /// What is wrong, as a clause, without control characters.
  public let reason: String
  /// The status of the response, if one came.
  public internal(set) var status: Int?
  /// The header fields of the response, if one came.
  public internal(set) var headers: HTTPHeaders
  /// The beginning of the response's body: at most ``bodyLimit`` bytes.
  public internal(set) var body: Data
  /// How many times the request was sent, without redirects.
  public internal(set) var attempts = 1

  /// How many bytes of a response's body an error keeps.
  public static let bodyLimit = 65_536

  init(_ code: Code, _ request: String = "", _ reason: String, response: EndpointResponse? = nil) {
    self.code = code
    self.request = request
    self.reason = reason
    status = response?.status
    headers = response?.headers ?? [:]
    body = response.map { Data($0.body.prefix(Self.bodyLimit)) } ?? Data()
  }
}

extension EndpointError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The error as one line, without secrets, bodies and control characters.
  public var description: String {
    let again = attempts > 1 ? " (tried \(attempts) times)" : ""
    return request.isEmpty ? reason + again : "\(request): \(reason)\(again)"
  }

  /// The same.
  public var debugDescription: String { description }

  /// The error without the body, for `dump` and logs of changes.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "code": code.description, "request": request, "reason": reason, "status": status as Any,
        "headers": headers, "attempts": attempts,
      ], displayStyle: .struct)
  }
}

extension EndpointError {
  /// What kind of error it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The request cannot be sent as it is: its base, path, fields or body are wrong.
    public static let invalidRequest = Code(description: "invalidRequest")
    /// The host has no address, or nobody listens there.
    public static let unreachable = Code(description: "unreachable")
    /// The connection ended before the response did.
    public static let connectionLost = Code(description: "connectionLost")
    /// The server took too long.
    public static let timedOut = Code(description: "timedOut")
    /// What came is not HTTP.
    public static let notHTTP = Code(description: "notHTTP")
    /// The status is not one of those that the endpoint expects.
    public static let status = Code(description: "status")
    /// The body is not what the endpoint expects.
    public static let notDecodable = Code(description: "notDecodable")
    /// The body is larger than the limit.
    public static let tooLarge = Code(description: "tooLarge")
    /// There were too many redirects, or one of them is not followed.
    public static let redirect = Code(description: "redirect")
    /// There is no token.
    public static let noToken = Code(description: "noToken")
    /// The task was cancelled.
    public static let cancelled = Code(description: "cancelled")
    /// The client was closed.
    public static let closed = Code(description: "closed")
    /// The test has no stub for the endpoint.
    public static let noStub = Code(description: "noStub")
    /// The transfer failed for another reason, such as a certificate that is not trusted.
    public static let failed = Code(description: "failed")
  }
}

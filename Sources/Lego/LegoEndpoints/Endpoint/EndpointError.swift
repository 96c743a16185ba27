public import Foundation

/// An error that occurs during a call to an endpoint.
public struct EndpointError: Error, Hashable, Sendable {
  /// The kind of error.
  public let code: Code
  /// The method and the URL of the request, without the user, the query and the fragment.
  public internal(set) var request: String
  /// A short description of the cause, without control characters.
  public let reason: String
  /// The status code of the response, if there was a response.
  public internal(set) var status: Int?
  /// The header fields of the response, if there was a response.
  public internal(set) var headers: HTTPHeaders
  /// The beginning of the response body, at most ``bodyLimit`` bytes.
  public internal(set) var body: Data
  /// The number of attempts that were made, not counting redirects.
  public internal(set) var attempts = 1

  /// The maximum size of ``body`` in bytes.
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
  /// A one-line description of the error, without secrets, the body or control characters.
  public var description: String {
    let again = attempts > 1 ? " (tried \(attempts) times)" : ""
    return request.isEmpty ? reason + again : "\(request): \(reason)\(again)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror that omits the body, for `dump` and change logs.
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
  /// The kind of error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The request was not sent, because it is not valid.
    ///
    /// The cause can be, for example, its base, path, header fields or body.
    public static let invalidRequest = Code(description: "invalidRequest")
    /// The host has no address, or no server is listening there.
    public static let unreachable = Code(description: "unreachable")
    /// The connection ended before the response was complete.
    public static let connectionLost = Code(description: "connectionLost")
    /// The server did not answer in time.
    public static let timedOut = Code(description: "timedOut")
    /// The response is not HTTP.
    public static let notHTTP = Code(description: "notHTTP")
    /// The endpoint does not accept the status code of the response.
    public static let status = Code(description: "status")
    /// The body cannot be decoded as the expected type.
    public static let notDecodable = Code(description: "notDecodable")
    /// The body is larger than the limit.
    public static let tooLarge = Code(description: "tooLarge")
    /// There were too many redirects, or a redirect was refused.
    public static let redirect = Code(description: "redirect")
    /// The closure that provides tokens has failed.
    public static let noToken = Code(description: "noToken")
    /// The task was cancelled.
    public static let cancelled = Code(description: "cancelled")
    /// The client was closed.
    public static let closed = Code(description: "closed")
    /// The stubs have no answer for the endpoint.
    public static let noStub = Code(description: "noStub")
    /// The transfer failed for another reason, such as an untrusted certificate.
    public static let failed = Code(description: "failed")
  }
}

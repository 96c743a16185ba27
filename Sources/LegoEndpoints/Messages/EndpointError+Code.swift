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

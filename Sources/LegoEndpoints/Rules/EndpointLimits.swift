/// How much a call may take.
public struct EndpointLimits: Hashable, Sendable {
  /// How long to wait for the header of a response, from the moment a request is sent.
  ///
  /// It covers the wait for a connection, the search for the host and the connection.
  public var response: Duration
  /// How long a call may take as a whole, with all attempts and the waits between them.
  public var whole: Duration
  /// The most bytes that a response's body may have, unpacked.
  public var bytes: Int
  /// How many redirects are followed.
  public var redirects: Int

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - response: How long to wait for the header of a response.
  ///   - whole: How long a call may take as a whole.
  ///   - bytes: The most bytes that a response's body may have.
  ///   - redirects: How many redirects are followed.
  public init(
    response: Duration = .seconds(30), whole: Duration = .seconds(120), bytes: Int = 16_777_216,
    redirects: Int = 5
  ) {
    self.response = response
    self.whole = whole
    self.bytes = bytes
    self.redirects = redirects
  }

  /// 30 seconds for a response, two minutes as a whole, 16 MiB and five redirects.
  public static let standard = EndpointLimits()
}

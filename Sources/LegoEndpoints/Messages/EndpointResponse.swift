public import Foundation

/// What a server answered.
public struct EndpointResponse: Hashable, Sendable, CustomStringConvertible {
  /// The status.
  public let status: Int
  /// The header fields; several of one name are one, separated by commas.
  public let headers: HTTPHeaders
  /// The body, unpacked if it came packed.
  public let body: Data
  /// The address that answered, which is another one after a redirect.
  public let url: URL

  /// Creates a response.
  public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), url: URL) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }

  /// The status and the size, without what may be secret.
  public var description: String { "status \(status), \(body.count) bytes" }
}

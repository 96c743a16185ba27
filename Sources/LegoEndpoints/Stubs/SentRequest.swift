public import Foundation

/// A request that stubs got, with everything that a server would have got.
public struct SentRequest: Hashable, Sendable, CustomStringConvertible {
  /// The method.
  public let method: HTTPMethod
  /// The address with its query.
  public let url: URL
  /// The fields, authentication included.
  public let headers: HTTPHeaders
  /// The body, or `nil` when there is none.
  public let body: Data?

  /// The method and the address, without the query.
  public var description: String { "\(method) \(url.printable)" }
}

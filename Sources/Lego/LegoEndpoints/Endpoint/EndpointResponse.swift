public import Foundation

/// A response from a server.
public struct EndpointResponse: Hashable, Sendable, CustomStringConvertible {
  /// The status code.
  public let status: Int
  /// The header fields.
  ///
  /// Fields with the same name are joined with commas.
  public let headers: HTTPHeaders
  /// The decompressed body.
  public let body: Data
  /// The URL that the response came from.
  ///
  /// After a redirect, it differs from the requested URL.
  public let url: URL

  init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), url: URL) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }

  /// The status code and the size of the body, without content that may be secret.
  public var description: String { "status \(status), \(body.count) bytes" }
}

/// A set of HTTP status codes.
public struct StatusCodes: Hashable, Sendable, ExpressibleByArrayLiteral {
  private let ranges: [ClosedRange<Int>]

  /// Creates a set of individual codes.
  public init(arrayLiteral elements: Int...) {
    ranges = elements.map { $0...$0 }
  }

  /// Creates a set of the codes in a range.
  public init(_ range: ClosedRange<Int>) {
    ranges = [range]
  }

  /// The codes from 200 to 299, which indicate success.
  public static let successful = StatusCodes(200...299)

  /// Returns a Boolean value that indicates whether the set contains a status code.
  public func contains(_ status: Int) -> Bool { ranges.contains { $0.contains(status) } }
}

/// The progress of sending or receiving a body.
public struct EndpointProgress: Hashable, Sendable {
  /// The direction of a transfer.
  public enum Direction: Hashable, Sendable {
    /// The request body is being sent.
    case sent
    /// The response body is being received.
    case received
  }

  /// The direction of the transfer.
  public let direction: Direction
  /// The number of bytes transferred so far, counted after decompression.
  public let bytes: Int
  /// The total number of bytes, or `nil` if it is unknown.
  ///
  /// It is unknown for a compressed response.
  public let total: Int?

  /// Creates a progress value.
  public init(_ direction: Direction, bytes: Int, total: Int? = nil) {
    self.direction = direction
    self.bytes = bytes
    self.total = total
  }
}

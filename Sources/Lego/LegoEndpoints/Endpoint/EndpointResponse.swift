public import Foundation

/// The response of a server.
public struct EndpointResponse: Hashable, Sendable, CustomStringConvertible {
  /// The status code.
  public let status: Int
  /// The header fields.
  ///
  /// Several fields with one name are joined with commas.
  public let headers: HTTPHeaders
  /// The body, decompressed.
  public let body: Data
  /// The address that answered.
  ///
  /// After a redirect, it differs from the requested one.
  public let url: URL

  init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), url: URL) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }

  /// The status code and the size, without content that may be secret.
  public var description: String { "status \(status), \(body.count) bytes" }
}

/// A set of status codes.
public struct StatusCodes: Hashable, Sendable, ExpressibleByArrayLiteral {
  private let ranges: [ClosedRange<Int>]

  /// Creates a set of single codes.
  public init(arrayLiteral elements: Int...) {
    ranges = elements.map { $0...$0 }
  }

  /// Creates a set of all codes in a range.
  public init(_ range: ClosedRange<Int>) {
    ranges = [range]
  }

  /// The codes from 200 to 299, for a successful request.
  public static let successful = StatusCodes(200...299)

  /// Returns a Boolean value that indicates whether the set contains a code.
  public func contains(_ status: Int) -> Bool { ranges.contains { $0.contains(status) } }
}

/// The progress of sending or receiving a body.
public struct EndpointProgress: Hashable, Sendable {
  /// The direction of a transfer.
  public enum Direction: Hashable, Sendable {
    /// The request body is sent.
    case sent
    /// The response body is received.
    case received
  }

  /// The direction of the transfer.
  public let direction: Direction
  /// The number of bytes so far, after decompression.
  public let bytes: Int
  /// The total number of bytes, if it is known.
  ///
  /// It is not known for a compressed response.
  public let total: Int?

  /// Creates a progress value.
  public init(_ direction: Direction, bytes: Int, total: Int? = nil) {
    self.direction = direction
    self.bytes = bytes
    self.total = total
  }
}

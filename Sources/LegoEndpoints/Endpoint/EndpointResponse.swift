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

  init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), url: URL) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }

  /// The status and the size, without what may be secret.
  public var description: String { "status \(status), \(body.count) bytes" }
}

/// A set of status codes.
public struct StatusCodes: Hashable, Sendable, ExpressibleByArrayLiteral {
  private let ranges: [ClosedRange<Int>]

  /// Single codes.
  public init(arrayLiteral elements: Int...) {
    ranges = elements.map { $0...$0 }
  }

  /// All codes of a range.
  public init(_ range: ClosedRange<Int>) {
    ranges = [range]
  }

  /// From 200 to 299: the request succeeded.
  public static let successful = StatusCodes(200...299)

  /// Whether a code is one of them.
  public func contains(_ status: Int) -> Bool { ranges.contains { $0.contains(status) } }
}

/// How much of a body was sent or received.
public struct EndpointProgress: Hashable, Sendable {
  /// Which body it is.
  public enum Direction: Hashable, Sendable {
    /// The request's.
    case sent
    /// The response's.
    case received
  }

  /// Which body it is.
  public let direction: Direction
  /// How many bytes so far; of a packed response, after unpacking.
  public let bytes: Int
  /// How many bytes there will be, if that is known; of a packed response it is not.
  public let total: Int?

  /// Creates a value.
  public init(_ direction: Direction, bytes: Int, total: Int? = nil) {
    self.direction = direction
    self.bytes = bytes
    self.total = total
  }
}

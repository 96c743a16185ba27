internal import JSONText

/// What a request asks the server to do.
public struct HTTPMethod: Hashable, Sendable, CustomStringConvertible {
  /// The method as it is sent, such as `GET`.
  public let name: String

  /// Creates any method; a name that is not one of HTTP fails when it is sent.
  public init(_ name: String) {
    self.name = name
  }

  /// Reads.
  public static let get = HTTPMethod("GET")
  /// Reads only the header.
  public static let head = HTTPMethod("HEAD")
  /// Does what the path says; a second time does it again.
  public static let post = HTTPMethod("POST")
  /// Puts the body in the place of what was there.
  public static let put = HTTPMethod("PUT")
  /// Changes a part of what is there.
  public static let patch = HTTPMethod("PATCH")
  /// Removes.
  public static let delete = HTTPMethod("DELETE")
  /// Asks what may be done.
  public static let options = HTTPMethod("OPTIONS")

  /// Whether sending it twice does the same as sending it once.
  public var isIdempotent: Bool {
    [.get, .head, .put, .delete, .options].contains(self)
  }

  /// Whether its requests may have a body.
  var allowsBody: Bool { self != .get && self != .head }

  /// The name, with control characters escaped.
  public var description: String { JSONQuotes.escaped(name) }
}

/// Why a link leads nowhere.
public enum LinkError: Error, Equatable, CustomStringConvertible {
  /// It has more bytes than the limit.
  case tooLong(limit: Int)
  /// It does not begin with the program's scheme, or with a slash where there is none.
  case otherScheme
  /// A percent sign without two hexadecimal digits, or bytes that are no UTF-8: the position of the
  /// part of the path or the query that has it, in bytes.
  case malformed(position: Int)
  /// No template matches.
  case unknown

  /// One line for a person.
  public var description: String {
    switch self {
    case .tooLong(let limit): "the link is longer than \(limit) bytes"
    case .otherScheme: "the link is for another program"
    case .malformed(let position): "the link is malformed at byte \(position)"
    case .unknown: "the link leads to nothing in this program"
    }
  }
}

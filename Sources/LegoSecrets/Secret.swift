/// A value that is not shown: neither printed nor logged, recorded or kept.
///
/// Put it into a design or a change in place of the value. What prints, dumps or compares a design
/// for people shows `(secret)`. What encodes it writes the string `(secret)`, and what decodes that
/// gets a secret without a value; a recording or a kept design therefore never holds it.
///
/// It keeps the value from being shown by mistake, and no more: whoever asks for ``value`` gets it.
public struct Secret<Value: Sendable>: Sendable {
  /// The value, or `nil` if the secret comes from a recording or a kept design.
  public let value: Value?

  /// Hides a value.
  public init(_ value: Value) {
    self.value = value
  }

  /// A secret without a value, as a recording has it.
  public static var withoutValue: Secret { Secret(optional: nil) }

  private init(optional value: Value?) {
    self.value = value
  }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `(secret)`, whatever the value.
  public var description: String { "(secret)" }
  /// `(secret)`, whatever the value.
  public var debugDescription: String { description }
  /// A structure without parts.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Secret: Codable {
  /// Reads a secret without a value, whatever is there.
  public init(from decoder: any Decoder) throws {
    self = .withoutValue
  }

  /// Writes the string `(secret)`, whatever the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

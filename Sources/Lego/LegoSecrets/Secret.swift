/// A wrapper that keeps a value from being printed, logged, recorded or saved.
///
/// Use a secret instead of the bare value in a design or a change. When the design is printed,
/// dumped or compared in a test, the output contains `(secret)` in place of the value. Encoding a
/// secret writes the string `(secret)`, and decoding creates a secret without a value. A recording
/// or a kept design therefore never contains the value.
///
/// A secret prevents only accidental disclosure: any code can read its ``value``.
public struct Secret<Value: Sendable>: Sendable {
  /// The value, or `nil` for a secret without a value, such as one that was decoded from a
  /// recording.
  public let value: Value?

  /// Creates a secret with a value.
  public init(_ value: Value) {
    self.value = value
  }

  /// A secret without a value, such as one that was decoded from a recording.
  public static var withoutValue: Secret { Secret(optional: nil) }

  private init(optional value: Value?) {
    self.value = value
  }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `(secret)`.
  public var description: String { "(secret)" }
  /// Always `(secret)`.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Secret: Codable {
  /// Creates a secret without a value, ignoring the encoded data.
  public init(from decoder: any Decoder) throws {
    self = .withoutValue
  }

  /// Encodes the string `(secret)`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

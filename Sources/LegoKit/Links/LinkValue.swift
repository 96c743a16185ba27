/// A value that a link can carry.
///
/// Whatever has a text form, such as a number or an enum of texts, needs only to declare it.
public protocol LinkValue: Sendable {
  /// Whether a link need not have it; true for optionals.
  static var mayBeAbsent: Bool { get }

  /// Reads the value.
  ///
  /// - Parameter text: What the link has in its place, decoded; `nil` where it has nothing.
  init?(linkText text: String?)

  /// What a link gets in its place, before it is encoded; `nil` for nothing.
  var linkText: String? { get }
}

extension LinkValue {
  /// False: the link must have it.
  @inlinable public static var mayBeAbsent: Bool { false }
}

extension LinkValue where Self: LosslessStringConvertible {
  /// Reads the value from its description.
  @inlinable public init?(linkText text: String?) {
    guard let text else { return nil }
    self.init(text)
  }

  /// The description of the value.
  @inlinable public var linkText: String? { description }
}

extension LinkValue where Self: RawRepresentable, RawValue: LinkValue {
  /// Reads the raw value.
  @inlinable public init?(linkText text: String?) {
    guard let value = RawValue(linkText: text) else { return nil }
    self.init(rawValue: value)
  }

  /// The text of the raw value.
  @inlinable public var linkText: String? { rawValue.linkText }
}

extension String: LinkValue {}
extension Bool: LinkValue {}
extension Int: LinkValue {}
extension UInt64: LinkValue {}

extension Double: LinkValue {
  /// Reads a finite number: anybody may send a link, and few programs expect another.
  @inlinable public init?(linkText text: String?) {
    guard let text, let value = Double(text), value.isFinite else { return nil }
    self = value
  }

  /// The description of a finite number; `nil` for any other, which no link carries.
  @inlinable public var linkText: String? { isFinite ? description : nil }
}

extension Optional: LinkValue where Wrapped: LinkValue {
  /// True.
  @inlinable public static var mayBeAbsent: Bool { true }

  /// Reads the value, if the link has it.
  @inlinable public init?(linkText text: String?) {
    guard let text else {
      self = .none
      return
    }
    guard let value = Wrapped(linkText: text) else { return nil }
    self = .some(value)
  }

  /// The text of the value, if there is one.
  @inlinable public var linkText: String? { flatMap(\.linkText) }
}

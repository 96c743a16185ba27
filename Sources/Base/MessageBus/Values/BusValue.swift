/// A value that was read from a message.
package indirect enum BusValue: Hashable, Sendable {
  case text(String)
  case boolean(Bool)
  case unsigned(UInt64)
  case signed(Int64)
  case descriptor(BusDescriptor)
  /// An array, a structure or a dictionary entry.
  case list([BusValue])
  /// A value of an unsupported type, or a string that is too long.
  case other

  /// A Boolean value that indicates whether a part of the value was not read because of its type or
  /// length.
  package var isUnread: Bool {
    switch self {
    case .other: true
    case .list(let elements): elements.contains { $0.isUnread }
    case .text, .boolean, .unsigned, .signed, .descriptor: false
    }
  }

  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  package var unsigned: UInt64? {
    if case .unsigned(let number) = self { number } else { nil }
  }

  package var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  package var descriptor: BusDescriptor? {
    if case .descriptor(let descriptor) = self { descriptor } else { nil }
  }

  package var elements: [BusValue]? {
    if case .list(let elements) = self { elements } else { nil }
  }

  /// The strings of an array; `nil` if it contains any other value.
  package var texts: [String]? {
    guard let elements else { return nil }
    let texts = elements.compactMap(\.text)
    return texts.count == elements.count ? texts : nil
  }

  /// Returns the value for a key in a dictionary whose keys are strings.
  package subscript(key key: String) -> BusValue? {
    elements?.first { $0.elements?.first?.text == key }?.elements?.last
  }
}

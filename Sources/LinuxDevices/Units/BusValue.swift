/// A value of a message, as far as a unit's properties need it.
indirect enum BusValue: Hashable, Sendable {
  case text(String)
  case boolean(Bool)
  case unsigned(UInt64)
  case signed(Int64)
  /// An array, a structure, a dictionary entry.
  case list([BusValue])
  /// A value of another type, or a text that is too long.
  case other

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  var elements: [BusValue]? {
    if case .list(let elements) = self { elements } else { nil }
  }

  /// The texts of an array; `nil` for one that holds anything else.
  var texts: [String]? {
    guard let elements else { return nil }
    let texts = elements.compactMap(\.text)
    return texts.count == elements.count ? texts : nil
  }
}

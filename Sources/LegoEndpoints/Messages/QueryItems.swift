internal import JSONText

/// Names with values: the query of an address, or the body of a form.
///
/// An item whose value is `nil` is left out. Names and values are written as they are meant; they
/// are encoded when they are sent.
public struct QueryItems: Sendable, ExpressibleByDictionaryLiteral {
  private var items: [(name: String, value: String)] = []

  /// No items.
  public init() {}

  /// Items in order; a name may come several times.
  public init(dictionaryLiteral elements: (String, String?)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// Adds an item, unless its value is `nil`.
  public mutating func append(_ name: String, _ value: String?) {
    if let value { items.append((name, value)) }
  }

  /// Adds an item for each value.
  public mutating func append(_ name: String, _ values: some Sequence<String>) {
    for value in values { append(name, value) }
  }

  /// Whether there is none.
  public var isEmpty: Bool { items.isEmpty }

  func encoded(by encode: (String) -> String) -> String {
    items.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
  }
}

extension QueryItems: Hashable {
  /// Whether the same items stand in the same order.
  public static func == (left: QueryItems, right: QueryItems) -> Bool {
    left.items.elementsEqual(right.items) { $0 == $1 }
  }

  /// Feeds the items to a hasher.
  public func hash(into hasher: inout Hasher) {
    for item in items {
      hasher.combine(item.name)
      hasher.combine(item.value)
    }
  }
}

extension QueryItems: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The names alone: values may be secret.
  public var description: String {
    items.map { JSONQuotes.escaped($0.name) + "=…" }.joined(separator: "&")
  }

  /// The same.
  public var debugDescription: String { description }

  /// The names alone, for `dump` and logs of changes.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: items.map { JSONQuotes.escaped($0.name) })
  }
}

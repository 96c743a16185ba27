internal import Glibc
internal import Synchronization

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

/// A value to write to a message.
package indirect enum BusArgument: Hashable, Sendable {
  /// `s`
  case text(String)
  /// `b`
  case boolean(Bool)
  /// `y`
  case byte(UInt8)
  /// `i`
  case signed(Int32)
  /// `u`
  case unsigned(UInt32)
  /// `t`
  case wide(UInt64)
  /// `v`
  case variant(BusArgument)
  /// `a`, with the type of its elements.
  case array(of: String, [BusArgument])
  /// `(…)`, a structure.
  case structure([BusArgument])
  /// `{sv}`, an element of a dictionary.
  case entry(String, BusArgument)
  /// `{ss}`, an element of a dictionary of texts.
  case pair(String, String)
  /// `h`; the message gets a copy of the descriptor.
  case descriptor(BusDescriptor)

  /// Returns an array of strings.
  package static func texts(_ texts: [String]) -> BusArgument {
    .array(of: "s", texts.map { .text($0) })
  }

  /// Returns an array of bytes, for example for a path, which might not be valid text.
  package static func bytes(_ bytes: [UInt8]) -> BusArgument {
    .array(of: "y", bytes.map { .byte($0) })
  }

  /// Returns a dictionary of variants, without the entries whose value is `nil`.
  package static func dictionary(_ entries: KeyValuePairs<String, BusArgument?>) -> BusArgument {
    .array(of: "{sv}", entries.compactMap { key, value in value.map { .entry(key, $0) } })
  }

  /// The D-Bus signature of the value.
  var signature: String {
    switch self {
    case .text: "s"
    case .boolean: "b"
    case .byte: "y"
    case .signed: "i"
    case .unsigned: "u"
    case .wide: "t"
    case .variant: "v"
    case .array(let element, _): "a\(element)"
    case .structure(let members): "(\(members.map(\.signature).joined()))"
    case .entry: "{sv}"
    case .pair: "{ss}"
    case .descriptor: "h"
    }
  }
}

/// A file descriptor in a message, which is closed with this object unless it has been taken.
package final class BusDescriptor: Hashable, Sendable {
  private let number: Mutex<Int32?>

  /// Takes over an open file descriptor.
  package init(adopting number: Int32) { self.number = Mutex(number) }

  deinit {
    if let number = take() { close(number) }
  }

  /// Transfers the descriptor to the caller, who must close it; returns `nil` if it was already
  /// taken.
  package func take() -> Int32? {
    number.withLock { number in
      defer { number = nil }
      return number
    }
  }

  /// Calls a closure with the descriptor, which stays open during the call; returns `nil` if it was
  /// taken.
  func withNumber(_ body: (Int32) -> Int32) -> Int32? {
    number.withLock { (number: inout sending Int32?) -> Int32? in
      guard let number else { return nil }
      return body(number)
    }
  }

  package static func == (left: BusDescriptor, right: BusDescriptor) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The limits for a message that is read.
package struct BusLimits: Hashable, Sendable {
  /// The maximum size of a string in bytes; a longer string is read as ``BusValue/other``.
  package var text: Int
  /// The maximum number of values in a message.
  package var values: Int
  /// The maximum nesting depth of values.
  package var depth: Int

  package init(text: Int, values: Int, depth: Int) {
    self.text = text
    self.values = values
    self.depth = depth
  }
}

/// A value to be written to a message.
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
  /// `h`; the message gets a copy.
  case descriptor(BusDescriptor)

  /// An array of texts.
  package static func texts(_ texts: [String]) -> BusArgument {
    .array(of: "s", texts.map { .text($0) })
  }

  /// An array of bytes, such as a path, which need not be text.
  package static func bytes(_ bytes: [UInt8]) -> BusArgument {
    .array(of: "y", bytes.map { .byte($0) })
  }

  /// A dictionary of variants.
  package static func dictionary(_ entries: KeyValuePairs<String, BusArgument?>) -> BusArgument {
    .array(of: "{sv}", entries.compactMap { key, value in value.map { .entry(key, $0) } })
  }

  /// The type, as D-Bus writes it.
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

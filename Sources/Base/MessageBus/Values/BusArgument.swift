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

  /// Returns an array of bytes, for example for a path, which may not be valid text.
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

/// A substitution in a value, such as `$kernel` or `%k`.
enum UdevRuleSubstitution: CaseIterable {
  case node, attribute, property, kernel, number, driver, devicePath, id, major, minor, result
  case parent, name, links, root, sys

  /// A piece of a value.
  enum Piece {
    case byte(UInt8)
    case substitution(UdevRuleSubstitution, argument: [UInt8])
  }

  /// The longest argument in braces; the C constant is `UDEV_PATH_SIZE`.
  static let limit = 1024

  /// The pieces of a value, and whether the rest of it is invalid, so that udevd leaves it out.
  ///
  /// A `$` or `%` that begins no substitution stands for itself, and is invalid when `isStrict`.
  static func pieces(_ value: [UInt8], isStrict: Bool = false) -> (pieces: [Piece], isValid: Bool) {
    var pieces: [Piece] = []
    var index = 0
    while index < value.count {
      let byte = value[index]
      guard byte == dollar || byte == percent else {
        pieces.append(.byte(byte))
        index += 1
        continue
      }
      if index + 1 < value.count, value[index + 1] == byte {
        pieces.append(.byte(byte))
        index += 2
        continue
      }
      guard let (kind, length) = kind(value[(index + 1)...], isWord: byte == dollar) else {
        if isStrict { return (pieces, false) }
        pieces.append(.byte(byte))
        index += 1
        continue
      }
      index += 1 + length
      var argument: [UInt8] = []
      if index < value.count, value[index] == UInt8(ascii: "{") {
        guard let end = value[index...].firstIndex(of: UInt8(ascii: "}")), end > index + 1,
          end - index - 1 < limit
        else { return (pieces, false) }
        argument = Array(value[(index + 1)..<end])
        index = end + 1
      }
      pieces.append(.substitution(kind, argument: argument))
    }
    return (pieces, true)
  }

  /// Whether a value holds what a substitution begins with.
  static func isNeeded(in value: [UInt8]) -> Bool {
    value.contains { $0 == dollar || $0 == percent }
  }

  /// Whether udevd will complain about a value when it reads the rules.
  static func isValid(_ value: [UInt8]) -> Bool {
    guard isNeeded(in: value) else { return true }
    let (pieces, isValid) = pieces(value, isStrict: true)
    return isValid
      && pieces.allSatisfy {
        guard case .substitution(let kind, let argument) = $0 else { return true }
        switch kind {
        case .attribute, .property: return !argument.isEmpty
        case .result: return argument.isEmpty || UdevRuleNumber.part(argument) != nil
        default: return true
        }
      }
  }

  private static let dollar = UInt8(ascii: "$")
  private static let percent = UInt8(ascii: "%")

  private static func kind(
    _ text: ArraySlice<UInt8>, isWord: Bool
  ) -> (UdevRuleSubstitution, length: Int)? {
    for (word, letter, kind) in table {
      if isWord {
        if text.starts(with: word) { return (kind, word.count) }
      } else if text.first == letter {
        return (kind, 1)
      }
    }
    return nil
  }

  // In the order in which udevd tries them: `$sysfs` before `$sys`.
  private static let table: [(word: [UInt8], letter: UInt8, kind: UdevRuleSubstitution)] =
    ([
      ("devnode", "N", .node), ("tempnode", "N", .node), ("attr", "s", .attribute),
      ("sysfs", "s", .attribute), ("env", "E", .property), ("kernel", "k", .kernel),
      ("number", "n", .number), ("driver", "d", .driver), ("devpath", "p", .devicePath),
      ("id", "b", .id), ("major", "M", .major), ("minor", "m", .minor), ("result", "c", .result),
      ("parent", "P", .parent), ("name", "D", .name), ("links", "L", .links), ("root", "r", .root),
      ("sys", "S", .sys),
    ] as [(String, Unicode.Scalar, UdevRuleSubstitution)]).map {
      (Array($0.utf8), UInt8(ascii: $1), $2)
    }
}

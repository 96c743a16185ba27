/// A substitution in a value, such as `$kernel` or `%k`.
enum UdevRuleSubstitution: CaseIterable {
  case node, attribute, property, kernel, number, driver, devicePath, id, major, minor, result
  case parent, name, links, root, sys

  /// A part of a value.
  enum Piece {
    case byte(UInt8)
    case substitution(UdevRuleSubstitution, argument: [UInt8])
  }

  /// The length that an argument in braces must be shorter than; the C constant is
  /// `UDEV_PATH_SIZE`.
  static let limit = 1024

  /// The result of reading at a `$` or `%`.
  private enum Reading {
    case nothing
    /// A substitution with an invalid argument.
    case broken
    case substitution(UdevRuleSubstitution, argument: Range<Int>, end: Int)
  }

  /// Returns the pieces of a value, and whether the value is valid to its end.
  ///
  /// If it is not, udevd omits the rest of the value, and so do the pieces. A `$` or `%` that does
  /// not start a substitution represents itself.
  static func pieces(_ value: [UInt8]) -> (pieces: [Piece], isValid: Bool) {
    var pieces: [Piece] = []
    var index = 0
    while index < value.count {
      let byte = value[index]
      if byte != dollar, byte != percent {
        pieces.append(.byte(byte))
        index += 1
      } else if index + 1 < value.count, value[index + 1] == byte {
        pieces.append(.byte(byte))
        index += 2
      } else {
        switch reading(at: index, in: value) {
        case .nothing:
          pieces.append(.byte(byte))
          index += 1
        case .broken:
          return (pieces, false)
        case .substitution(let kind, let argument, let end):
          pieces.append(.substitution(kind, argument: Array(value[argument])))
          index = end
        }
      }
    }
    return (pieces, true)
  }

  /// Returns whether a value contains a character that starts a substitution.
  static func isNeeded(in value: [UInt8]) -> Bool {
    value.contains { $0 == dollar || $0 == percent }
  }

  /// Returns whether udevd accepts a value without a warning when it reads the rules.
  static func isValid(_ value: [UInt8]) -> Bool {
    var index = 0
    while index < value.count {
      let byte = value[index]
      if byte != dollar, byte != percent {
        index += 1
      } else if index + 1 < value.count, value[index + 1] == byte {
        index += 2
      } else {
        guard case .substitution(let kind, let argument, let end) = reading(at: index, in: value)
        else { return false }
        switch kind {
        case .attribute, .property:
          if argument.isEmpty { return false }
        case .result:
          if !argument.isEmpty, UdevRuleNumber.part(Array(value[argument])) == nil { return false }
        default: break
        }
        index = end
      }
    }
    return true
  }

  private static func reading(at start: Int, in value: [UInt8]) -> Reading {
    guard let found = kind(at: start + 1, in: value, isWord: value[start] == dollar) else {
      return .nothing
    }
    let index = start + 1 + found.length
    guard index < value.count, value[index] == UInt8(ascii: "{") else {
      return .substitution(found.kind, argument: index..<index, end: index)
    }
    guard let end = value[index...].firstIndex(of: UInt8(ascii: "}")), end > index + 1,
      end - index - 1 < limit
    else { return .broken }
    return .substitution(found.kind, argument: (index + 1)..<end, end: end + 1)
  }

  private static let dollar = UInt8(ascii: "$")
  private static let percent = UInt8(ascii: "%")

  /// Returns the substitution whose name or letter is at a place, and the length of that name or
  /// letter.
  private static func kind(
    at start: Int, in value: [UInt8], isWord: Bool
  ) -> (kind: UdevRuleSubstitution, length: Int)? {
    guard start < value.count else { return nil }
    if !isWord {
      let letter = value[start]
      for entry in table where entry.letter == letter { return (entry.kind, 1) }
      return nil
    }
    // The longest name has eight bytes. No name contains a zero byte, so the padding after the end
    // of the value cannot match.
    var text: UInt64 = 0
    for index in start..<(start + 8) {
      text = text << 8 | (index < value.count ? UInt64(value[index]) : 0)
    }
    for entry in table where text >> (64 - 8 * UInt64(entry.length)) == entry.word {
      return (entry.kind, entry.length)
    }
    return nil
  }

  // The order in which udevd tries the names: `$sysfs` before `$sys`.
  private static let table:
    [(word: UInt64, length: Int, letter: UInt8, kind: UdevRuleSubstitution)] =
      ([
        ("devnode", "N", .node), ("tempnode", "N", .node), ("attr", "s", .attribute),
        ("sysfs", "s", .attribute), ("env", "E", .property), ("kernel", "k", .kernel),
        ("number", "n", .number), ("driver", "d", .driver), ("devpath", "p", .devicePath),
        ("id", "b", .id), ("major", "M", .major), ("minor", "m", .minor), ("result", "c", .result),
        ("parent", "P", .parent), ("name", "D", .name), ("links", "L", .links),
        ("root", "r", .root),
        ("sys", "S", .sys),
      ] as [(String, Unicode.Scalar, UdevRuleSubstitution)]).map {
        ($0.utf8.reduce(0) { $0 << 8 | UInt64($1) }, $0.utf8.count, UInt8(ascii: $1), $2)
      }
}

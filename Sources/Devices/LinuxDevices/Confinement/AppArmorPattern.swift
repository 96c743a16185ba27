/// A path pattern in an AppArmor profile (apparmor.d(5), "Globbing").
struct AppArmorPattern {
  private enum Token {
    case byte(UInt8)
    /// `?` and `*`, which do not match a slash, and `**`, which does.
    case one, name, path
    case anyOf(Set<UInt8>, isInverted: Bool)
  }

  /// The tokens of each pattern that results from expanding the braces.
  private var alternatives: [[Token]]

  private static let mostAlternatives = 64
  private static let longest = 4096

  init(_ text: String) {
    let bytes = Array(text.utf8.prefix(Self.longest))
    alternatives = Self.expanded(bytes).map(Self.tokens)
  }

  func matches(_ path: String) -> Bool {
    let path = Array(path.utf8.prefix(Self.longest))
    return alternatives.contains { Self.matches(path, $0) }
  }

  /// Expands `{a,b}` into one pattern for each alternative.
  private static func expanded(_ bytes: [UInt8]) -> [[UInt8]] {
    var done: [[UInt8]] = []
    var open = [bytes]
    while let next = open.popLast(), done.count < mostAlternatives {
      guard let start = next.lastIndex(of: UInt8(ascii: "{")),
        let end = next[start...].firstIndex(of: UInt8(ascii: "}")), open.count < mostAlternatives
      else {
        done.append(next)
        continue
      }
      for member in ByteScanner.split(next[(start + 1)..<end], at: UInt8(ascii: ",")) {
        open.append(Array(next[..<start]) + Array(member) + Array(next[(end + 1)...]))
      }
    }
    return done
  }

  private static func tokens(_ bytes: [UInt8]) -> [Token] {
    var tokens: [Token] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "?"): tokens.append(.one)
      case UInt8(ascii: "*"):
        let isDouble = rest.first == byte
        if isDouble { rest.removeFirst() }
        tokens.append(isDouble ? .path : .name)
      case UInt8(ascii: "\\"): tokens.append(.byte(rest.popFirst() ?? byte))
      case UInt8(ascii: "["):
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else {
          tokens.append(.byte(byte))
          continue
        }
        var members = rest[..<end]
        rest = rest[(end + 1)...]
        let isInverted = members.first == UInt8(ascii: "^")
        if isInverted { members.removeFirst() }
        tokens.append(.anyOf(set(Array(members)), isInverted: isInverted))
      default: tokens.append(.byte(byte))
      }
    }
    return tokens
  }

  /// Returns the members of a character class such as `a-z_`.
  private static func set(_ bytes: [UInt8]) -> Set<UInt8> {
    var set: Set<UInt8> = []
    var index = 0
    while index < bytes.count {
      if index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "-"),
        bytes[index] <= bytes[index + 2]
      {
        set.formUnion(bytes[index]...bytes[index + 2])
        index += 3
      } else {
        set.insert(bytes[index])
        index += 1
      }
    }
    return set
  }

  /// Returns whether the tokens match the path.
  ///
  /// The function tracks all positions that the tokens can reach. The cost is therefore bounded,
  /// unlike with backtracking.
  private static func matches(_ path: [UInt8], _ tokens: [Token]) -> Bool {
    let slash = UInt8(ascii: "/")
    var reached = [Bool](repeating: false, count: path.count + 1)
    reached[0] = true
    for token in tokens {
      var next = [Bool](repeating: false, count: path.count + 1)
      for index in 0...path.count where reached[index] {
        switch token {
        case .byte(let byte): if index < path.count, path[index] == byte { next[index + 1] = true }
        case .one: if index < path.count, path[index] != slash { next[index + 1] = true }
        case .anyOf(let set, let isInverted):
          if index < path.count, path[index] != slash, set.contains(path[index]) != isInverted {
            next[index + 1] = true
          }
        case .name, .path:
          var end = index
          next[end] = true
          while end < path.count, !next[end + 1] {
            if case .name = token, path[end] == slash { break }
            end += 1
            next[end] = true
          }
        }
      }
      reached = next
    }
    return reached[path.count]
  }
}

internal import AccessModel

/// Searches `/etc/apparmor.d` for the rule of a profile that applies to a path (apparmor.d(5)).
///
/// The result is only a hint, because the text may have changed since the profile was loaded, or
/// may be stored elsewhere.
struct AppArmorProfileText {
  private let folder: String
  private let path: String
  /// The number of lines that may still be read.
  private var room = 50_000
  private var allowing: String?
  private var denying: String?

  init(roots: MachineRoots, path: String) {
    folder = "\(roots.etc)/apparmor.d"
    self.path = path
  }

  /// Returns the rule and its file, or a clause that states that the profile has no rule for the
  /// path.
  ///
  /// The result is `nil` if the text of the profile was not found.
  mutating func rule(of label: String) -> String? {
    let name = Self.lastName(of: label)
    let first = name.hasPrefix("/") ? String(name.dropFirst()) : name
    let likely = [first.split(separator: "/").joined(separator: "."), first]
    var files = Self.names(in: folder)
    files = likely.filter(files.contains) + files.filter { !likely.contains($0) }
    for file in files {
      guard let lines = lines(of: file), let block = Self.block(named: name, in: lines) else {
        continue
      }
      read(block, file, depth: 0)
      let place = "(/etc/apparmor.d/\(file))"
      return (denying ?? allowing) ?? "no rule for \(path) \(place)"
    }
    return nil
  }

  /// Returns the innermost name of a profile, because a nested profile is named `outer//inner`.
  private static func lastName(of label: String) -> String {
    guard let range = label.ranges(of: "//").last else { return label }
    return String(label[range.upperBound...])
  }

  private mutating func lines(of file: String) -> [Substring]? {
    guard room > 0,
      let contents = try? BoundedFile.read("\(folder)/\(file)", limit: 1 << 20),
      let text = String(validating: contents.bytes, as: UTF8.self)
    else { return nil }
    // The text is split by bytes, because Swift treats CR LF as one character.
    let lines = text.utf8.split(separator: ByteScanner.newline, maxSplits: room).map {
      Substring($0)
    }
    room -= lines.count
    return lines
  }

  /// Returns the lines between the braces of a profile; `nil` if the profile was not found.
  private static func block(named name: String, in lines: [Substring]) -> [String]? {
    var block: [String] = []
    var depth = 0
    var isInside = false
    for line in lines {
      let words = line.split(whereSeparator: \.isWhitespace)
      if words.first?.hasPrefix("#") == true, words.first != "#include" { continue }
      let opens = line.hasSuffix("{") || words.last == "{"
      if !isInside {
        let quoted = "\"\(name)\""
        guard opens, words.contains(where: { $0 == name || $0 == quoted || $0 == "^" + name })
        else { continue }
        isInside = true
        depth = 1
        continue
      }
      if opens { depth += 1 }
      if words.first == "}" || words.first == "}," { depth -= 1 }
      if depth == 0 { return block }
      // The rules of a nested profile do not belong to the outer one.
      if depth == 1 { block.append(words.joined(separator: " ")) }
    }
    return isInside ? block : nil
  }

  private mutating func read(_ lines: [String], _ file: String, depth: Int) {
    for line in lines {
      let words = line.split(separator: " ")
      guard let first = words.first else { continue }
      if first == "#include" || first == "include" {
        guard depth < 4, let name = Self.included(words), let lines = self.lines(of: name) else {
          continue
        }
        read(
          lines.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }, name,
          depth: depth + 1)
      } else if !first.hasPrefix("#"), concerns(words) {
        let quote = "\"\(line.prefix(200))\" (/etc/apparmor.d/\(file))"
        if words.contains("deny") {
          denying = denying ?? quote
        } else {
          allowing = allowing ?? quote
        }
      }
    }
  }

  /// Returns the file in `include <abstractions/video>`.
  ///
  /// The result is `nil` for another form of inclusion, or if the path contains `..`.
  private static func included(_ words: [Substring]) -> String? {
    guard let word = words.last, word.hasPrefix("<"), word.hasSuffix(">"), !word.contains("..")
    else { return nil }
    return String(word.dropFirst().dropLast())
  }

  private func concerns(_ words: [Substring]) -> Bool {
    if words == ["file,"] { return true }
    let marks: Set<Substring> = ["audit", "deny", "allow", "owner", "file", "quiet"]
    guard let word = words.first(where: { !marks.contains($0) && $0.contains("/") }) else {
      return false
    }
    let pattern = String(word).trimming { $0 == "\"" || $0 == "," }
    return pattern.hasPrefix("/") && AppArmorPattern(pattern).matches(path)
  }

  private static func names(in folder: String) -> [String] {
    let names = (try? Directory.names(in: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.prefix(4096).sorted()
  }
}

extension String {
  fileprivate func trimming(_ isMark: (Character) -> Bool) -> String {
    var rest = self[...]
    while let first = rest.first, isMark(first) { rest.removeFirst() }
    while let last = rest.last, isMark(last) { rest.removeLast() }
    return String(rest)
  }
}

extension AccessFacts {
  /// Searches the text of the subject's AppArmor profile for a rule on the requested path.
  mutating func readProfile(roots: MachineRoots) {
    guard let label = confinement.label, label.hasSuffix("(enforce)") || isAppArmorUnit else {
      return
    }
    let open = label.hasSuffix(")") ? label.lastIndex(of: "(") : nil
    let name = String(label[..<(open ?? label.endIndex)]).split(separator: " ")
      .joined(separator: " ")
    var text = AppArmorProfileText(roots: roots, path: access.request.path)
    confinement.profileRule = text.rule(of: name)
  }

  private var isAppArmorUnit: Bool {
    confinement.service?.appArmorProfile != nil && origin?.kind == .unit
      && confinement.label?.hasSuffix(")") == false
  }
}

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

internal import UdevRules

/// The text of a line in a rules file, split into its parts.
struct RuleLineText {
  /// A key, an operator and a value, as written.
  struct Part {
    var text: [UInt8]
    /// The key, including the text in braces after it.
    var key: [UInt8]
    /// The range of the operator in the text.
    var sign: Range<Int>
  }

  var parts: [Part]

  /// Splits a line; fails if the line cannot be changed safely.
  init?(_ line: [UInt8]) {
    parts = []
    var index = 0
    func skip(_ isSkipped: (UInt8) -> Bool) {
      while index < line.count, isSkipped(line[index]) { index += 1 }
    }
    while true {
      skip { $0.isBlank || $0 == UInt8(ascii: ",") }
      guard index < line.count else { return }
      let start = index
      skip { $0.isLatinLetter || $0 == .underscore }
      if index < line.count, line[index] == UInt8(ascii: "{") {
        skip { $0 != UInt8(ascii: "}") }
        index += 1
      }
      guard index > start, index < line.count else { return nil }
      let key = Array(line[start..<index])
      skip(\.isBlank)
      let sign = index
      skip { Self.signs.contains($0) }
      let signEnd = index
      skip { $0.isBlank || $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "i") }
      guard signEnd > sign, index < line.count, line[index] == .quote else { return nil }
      index += 1
      while index < line.count, line[index] != .quote {
        let isEscaped = line[index] == .backslash && index + 1 < line.count
        index += isEscaped ? 2 : 1
      }
      guard index < line.count else { return nil }
      index += 1
      parts.append(
        Part(
          text: Array(line[start..<index]), key: key,
          sign: (sign - start)..<(signEnd - start)))
    }
  }

  private static let signs = Array("=!+-:".utf8)

  /// A Boolean value that indicates whether the line only skips other lines, and sets nothing.
  var onlyJumps: Bool {
    let jumps = parts.filter { $0.key.elementsEqual("GOTO".utf8) }
    let matches = parts.filter { part in
      let sign = part.text[part.sign]
      return sign.elementsEqual("==".utf8) || sign.elementsEqual("!=".utf8)
    }
    let labels = parts.filter { $0.key.elementsEqual("LABEL".utf8) }
    return !jumps.isEmpty && jumps.count + matches.count + labels.count == parts.count
  }

  /// The indices of the parts that a parser turns into tokens.
  private var places: [Int] {
    parts.indices.filter {
      !parts[$0].key.elementsEqual("GOTO".utf8) && !parts[$0].key.elementsEqual("LABEL".utf8)
    }
  }

  /// Returns the line with another text in place of a token, or without the token.
  func replacing(_ token: UdevRuleToken, with text: String?) -> RuleLineText? {
    let places = places
    guard places.indices.contains(token.position) else { return nil }
    let place = places[token.position]
    guard parts[place].key.starts(with: token.key.word.utf8) else { return nil }
    var changed = self
    if let text {
      changed.parts[place].text = Array(text.utf8)
    } else {
      changed.parts.remove(at: place)
    }
    return changed
  }

  /// Returns the part of the line that became a token; `nil` if the line has no such part.
  func part(of token: UdevRuleToken) -> Part? {
    places.indices.contains(token.position) ? parts[places[token.position]] : nil
  }

  /// Returns the line with another text in place of an equal part, or without that part.
  func replacing(_ part: Part?, with text: String?) -> RuleLineText {
    guard let part, let place = parts.firstIndex(where: { $0.text == part.text }) else {
      return self
    }
    var changed = self
    changed.parts[place...place] = (text.flatMap { RuleLineText(Array($0.utf8)) }?.parts ?? [])[...]
    return changed
  }

  /// The line with `==` instead of `=` after keys that only match.
  var comparing: RuleLineText {
    let matches = [
      "ACTION", "DEVPATH", "KERNEL", "SUBSYSTEM", "DRIVER", "KERNELS", "SUBSYSTEMS", "DRIVERS",
      "ATTRS", "TAGS", "CONST", "TEST", "RESULT",
    ].map { Array($0.utf8) }
    var changed = self
    for index in parts.indices {
      let name = Array(parts[index].key.prefix { $0 != UInt8(ascii: "{") })
      guard matches.contains(name), parts[index].text[parts[index].sign].elementsEqual("=".utf8)
      else { continue }
      changed.parts[index].text.replaceSubrange(parts[index].sign, with: Array("==".utf8))
    }
    return changed
  }

  /// The line with assignments in place of matches that were probably meant to assign.
  ///
  /// After keys that can only assign, `==` becomes `=`. If the line then has no assignment and ends
  /// with `SYMLINK` or `TAG`, the last operator becomes `+=`.
  var assigning: RuleLineText {
    let assigned = ["OWNER", "GROUP", "MODE"].map { Array($0.utf8) }
    let listed = ["SYMLINK", "TAG"].map { Array($0.utf8) }
    var changed = self
    var assigns = false
    for index in parts.indices {
      let sign = parts[index].text[parts[index].sign]
      if assigned.contains(parts[index].key), sign.elementsEqual("==".utf8) {
        changed.parts[index].text.replaceSubrange(parts[index].sign, with: Array("=".utf8))
        assigns = true
      } else if !sign.elementsEqual("==".utf8), !sign.elementsEqual("!=".utf8) {
        assigns = true
      }
    }
    guard !assigns, let last = parts.indices.last, listed.contains(parts[last].key) else {
      return changed
    }
    changed.parts[last].text.replaceSubrange(parts[last].sign, with: Array("+=".utf8))
    return changed
  }

  /// Corrects and splits a line that has common mistakes.
  ///
  /// The mistakes are a comment or a missing quotation mark at the end, a value without quotation
  /// marks, and the quotation marks of a word processor. The initializer fails if the result still
  /// cannot be read.
  init?(correcting line: [UInt8]) {
    var corrected = line
    for quote in ["\u{201C}", "\u{201D}", "\u{201E}"] {
      let bytes = Array(quote.utf8)
      while let start = corrected.indices.first(where: { corrected[$0...].starts(with: bytes) }) {
        corrected.replaceSubrange(start..<(start + bytes.count), with: [.quote])
      }
    }
    corrected = Self.doubling(quotesOf: corrected)
    if corrected.starts(with: Self.byteOrderMark) {
      corrected.removeFirst(Self.byteOrderMark.count)
    }
    var isQuoted = false
    let comment = corrected.indices.first { index in
      if corrected[index] == .quote { isQuoted.toggle() }
      return corrected[index] == UInt8(ascii: "#") && !isQuoted
    }
    if let comment { corrected = Array(corrected[..<comment]).trimmingEnd }
    corrected = Self.quoting(corrected)
    if corrected.count(where: { $0 == .quote }) % 2 == 1 {
      corrected.append(.quote)
    } else if let last = corrected.lastIndex(of: .quote) {
      // Any other text after the last quotation mark may be the purpose of the line.
      let rest = corrected[(last + 1)...].drop { $0.isBlank || $0 == UInt8(ascii: ",") }
      let isRemark = [";", "//"].contains { rest.starts(with: $0.utf8) }
      guard isRemark || !rest.contains(where: { $0.isLatinLetter || $0 == UInt8(ascii: "=") })
      else { return nil }
      corrected = Array(corrected[...last])
    }
    self.init(corrected)
    guard parts.count > 1 else { return nil }
  }

  /// The byte order mark that some editors write at the beginning of a file.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns the line with double instead of single quotation marks around values.
  private static func doubling(quotesOf line: [UInt8]) -> [UInt8] {
    let single = UInt8(ascii: "'")
    guard !line.contains(.quote), line.contains(single) else { return line }
    var written = line
    var start: Int?
    for index in line.indices where line[index] == single {
      if let first = start {
        written[first] = .quote
        written[index] = .quote
        start = nil
      } else if index > 0, Array(line[..<index]).trimmingEnd.last == UInt8(ascii: "=") {
        start = index
      }
    }
    return written
  }

  /// Returns the line with quotation marks around each value that has none.
  private static func quoting(_ line: [UInt8]) -> [UInt8] {
    var written: [UInt8] = []
    var isQuoted = false
    var index = 0
    while index < line.count {
      let byte = line[index]
      written.append(byte)
      index += 1
      if byte == .quote { isQuoted.toggle() }
      guard !isQuoted, byte == UInt8(ascii: "=") else { continue }
      let value = line[index...].prefix { $0.isPlainValue }
      // Letters before a quotation mark are its prefix.
      let end = index + value.count
      func isEnd(_ index: Int) -> Bool {
        index == line.count || line[index].isBlank || line[index] == UInt8(ascii: ",")
      }
      // Only the first quotation mark may be missing.
      let isClosed =
        end < line.count && line[end] == .quote && isEnd(end + 1) && value.count > 2
      guard !value.isEmpty, isClosed || isEnd(end) else { continue }
      written += [.quote] + value + [.quote]
      index = isClosed ? end + 1 : end
    }
    return written
  }

  /// The text of the line, with its parts separated by commas.
  var text: String {
    String(decoding: Array(parts.map(\.text).joined(separator: Array(", ".utf8))), as: UTF8.self)
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether an unquoted value may contain the byte.
  fileprivate var isPlainValue: Bool {
    isLatinLetter || isDecimal || "_-.:/*?".utf8.contains(self)
  }
}

extension RuleLineText {
  /// Returns the line with `:=` instead of `=` after the given keys; `nil` if it has no such
  /// assignment.
  func fixing(_ keys: [String]) -> RuleLineText? {
    var changed = self
    var isChanged = false
    for index in parts.indices
    where keys.contains(where: { parts[index].key.elementsEqual($0.utf8) })
      && parts[index].text[parts[index].sign].elementsEqual("=".utf8)
    {
      let sign = parts[index].sign
      changed.parts[index].text.replaceSubrange(sign, with: Array(":=".utf8))
      changed.parts[index].sign = sign.lowerBound..<(sign.lowerBound + 2)
      isChanged = true
    }
    return isChanged ? changed : nil
  }

  /// The keys that udev no longer has, with their successors.
  private static let former = ["BUS": "SUBSYSTEMS", "ID": "KERNELS", "SYSFS": "ATTRS"]

  /// Returns the intended key: the key with the given name, or the only similar one.
  private static func known(_ word: String, _ version: UdevRuleVersion) -> String? {
    let bytes = Array(word.utf8)
    if UdevRuleKeyEntry.find(bytes[...], version) != nil { return word }
    guard bytes.count > 2 else { return nil }
    let words = Set(UdevRuleKey.allCases.map(\.word)).filter {
      UdevRuleKeyEntry.find(Array($0.utf8)[...], version) != nil
    }
    let near =
      bytes.count > 3
      ? words.filter { LetterDistance.isAtMostOne(Array($0.utf8), bytes) } : []
    if near.count == 1 { return near.first }
    // Letters may have been left out, as in `GUP` or `MDE`.
    let longer = words.filter { lacksLetters(bytes, of: Array($0.utf8)) }
    return near.isEmpty && longer.count == 1 ? longer.first : nil
  }

  /// Returns `true` if a word is another word without one or two of its inner letters.
  private static func lacksLetters(_ short: [UInt8], of word: [UInt8]) -> Bool {
    guard (1...2).contains(word.count - short.count), short.first == word.first,
      short.last == word.last
    else { return false }
    var rest = short[...]
    for letter in word where letter == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  /// Returns the line with current keys in place of former, misspelled and lowercase ones.
  func renamingKeys(_ version: UdevRuleVersion) -> RuleLineText {
    var changed = self
    for index in parts.indices {
      let key = parts[index].key
      let name = key.prefix { $0 != UInt8(ascii: "{") }
      guard UdevRuleKeyEntry.find(name, version) == nil else { continue }
      // A line that was split has only ASCII letters and underscores in its keys.
      let word = String(decoding: name, as: UTF8.self).uppercased()
      guard let known = Self.known(Self.former[word] ?? word, version) else { continue }
      let written = Array(known.utf8) + key.dropFirst(name.count)
      changed.parts[index].text.replaceSubrange(..<key.count, with: written)
      changed.parts[index].key = written
      let shift = written.count - key.count
      let sign = parts[index].sign
      changed.parts[index].sign = (sign.lowerBound + shift)..<(sign.upperBound + shift)
    }
    return changed
  }
}

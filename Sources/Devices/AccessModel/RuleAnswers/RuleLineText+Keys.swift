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

extension RuleLineText {
  /// The line with `:=` wherever `=` stands after one of these keys; `nil` where none stands.
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

  /// Keys that udev has no longer, and what took their place.
  private static let former = ["BUS": "SUBSYSTEMS", "ID": "KERNELS", "SYSFS": "ATTRS"]

  /// The line with today's key wherever one of long ago stands, or one in small letters.
  func renamingKeys(_ version: UdevRuleVersion) -> RuleLineText {
    var changed = self
    for index in parts.indices {
      let key = parts[index].key
      let name = key.prefix { $0 != UInt8(ascii: "{") }
      guard UdevRuleKeyEntry.find(name, version) == nil else { continue }
      // Keys are letters of ASCII and underscores, or the line was not split.
      let word = String(decoding: name, as: UTF8.self).uppercased()
      let known = Self.former[word] ?? word
      guard UdevRuleKeyEntry.find(Array(known.utf8)[...], version) != nil else { continue }
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

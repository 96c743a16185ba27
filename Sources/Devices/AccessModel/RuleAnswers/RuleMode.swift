/// A mode in symbolic notation, although udev requires octal digits.
enum RuleMode {
  /// Returns the mode that letters represent, as octal digits.
  ///
  /// The letters are those of ls(1), such as `rw-rw----`, or of chmod(1), such as `u=rw,g=rw,o=`.
  /// The result is `nil` if they do not determine the whole mode.
  static func octal(_ text: UdevRuleText) -> String? {
    let bytes = text.bytes.trimming
    guard bytes.count <= 32, let mode = listed(bytes) ?? assigned(bytes) else { return nil }
    return "0" + String(mode, radix: 8)
  }

  /// Parses the form `rw-rw----`, with or without the letter of a file type.
  private static func listed(_ bytes: [UInt8]) -> UInt16? {
    let kinds = Array("-cb".utf8)
    guard bytes.count == 9 || (bytes.count == 10 && kinds.contains(bytes[0])) else { return nil }
    var mode: UInt16 = 0
    for (letter, expected) in zip(bytes.suffix(9), "rwxrwxrwx".utf8) {
      mode <<= 1
      if letter == expected { mode |= 1 } else if letter != UInt8(ascii: "-") { return nil }
    }
    return mode
  }

  /// Parses the form `u=rw,g=rw,o=` or `a=rw`, which must contain each class of users once.
  private static func assigned(_ bytes: [UInt8]) -> UInt16? {
    let shifts: [UInt8: [UInt16]] = [
      UInt8(ascii: "u"): [6], UInt8(ascii: "g"): [3], UInt8(ascii: "o"): [0],
      UInt8(ascii: "a"): [6, 3, 0],
    ]
    let bits: [UInt8: UInt16] = [UInt8(ascii: "r"): 4, UInt8(ascii: "w"): 2, UInt8(ascii: "x"): 1]
    var mode: UInt16 = 0
    var named: Set<UInt16> = []
    for clause in bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      guard let sign = clause.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      var granted: UInt16 = 0
      for letter in clause[(sign + 1)...] {
        guard let bit = bits[letter] else { return nil }
        granted |= bit
      }
      for letter in clause[..<sign] {
        for shift in shifts[letter] ?? [] {
          guard named.insert(shift).inserted else { return nil }
          mode |= granted << shift
        }
        guard shifts[letter] != nil else { return nil }
      }
    }
    return named.count == 3 ? mode : nil
  }
}

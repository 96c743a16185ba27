extension Collection<UInt8> {
  /// The identifiers in text that one machine alone has: UUIDs, hardware addresses of six bytes,
  /// and hexadecimal numbers of at least 24 digits, such as those of containers and machines.
  func identifiers() -> [String] {
    var found: [String] = []
    var run: [UInt8] = []
    func end() {
      found += run.identifiers.map { String(decoding: $0, as: UTF8.self) }
      run.removeAll(keepingCapacity: true)
    }
    for byte in self {
      if byte.isHexadecimal || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":") {
        run.append(byte)
      } else {
        end()
      }
    }
    end()
    return found
  }
}

extension [UInt8] {
  /// The identifiers in a run of hexadecimal digits, dashes and colons, which may hold the end of
  /// the word before, such as the "d-" of "libpod-", and the beginning of the one after.
  fileprivate var identifiers: [[UInt8]] {
    let dash = UInt8(ascii: "-")
    let parts = split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == dash || $0 == UInt8(ascii: ":") })
    var found = parts.filter { $0.count >= 24 }.map(Array.init)
    // The separator before a part stands right in front of it.
    for (shape, separator) in [([8, 4, 4, 4, 12], dash), ([2, 2, 2, 2, 2, 2], UInt8(ascii: ":"))] {
      var index = 0
      while index + shape.count <= parts.count {
        let window = parts[index..<(index + shape.count)]
        if window.map(\.count) == shape,
          window.dropFirst().allSatisfy({ self[$0.startIndex - 1] == separator })
        {
          found.append(Array(window.joined(separator: [separator])))
          index += shape.count
        } else {
          index += 1
        }
      }
    }
    return found
  }

  /// Replaces a word wherever no letter or digit touches it, whatever the case of its letters.
  mutating func replace(word: [UInt8], with standIn: [UInt8]) {
    guard !word.isEmpty, count >= word.count else { return }
    var result: [UInt8] = []
    var index = 0
    while index < count {
      let end = index + word.count
      if end <= count, index == 0 || !self[index - 1].isWord, end == count || !self[end].isWord,
        self[index..<end].elementsEqual(word, by: { $0.lowercased == $1.lowercased })
      {
        result += standIn
        index = end
      } else {
        result.append(self[index])
        index += 1
      }
    }
    self = result
  }
}

extension UInt8 {
  fileprivate var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }

  fileprivate var isHexadecimal: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowercased)
  }

  private var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Part of a word: an ASCII letter or digit, or any byte of another character.
  fileprivate var isWord: Bool {
    isDigit || self >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased)
  }
}

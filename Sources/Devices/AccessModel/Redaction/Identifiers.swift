extension Collection<UInt8> {
  /// Returns the identifiers in the text that are unique to a machine or an object on it.
  ///
  /// These are UUIDs, hardware addresses of six bytes, and hexadecimal numbers of at least 24
  /// digits, such as container IDs and machine IDs.
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
  /// The identifiers in a run of hexadecimal digits, dashes and colons.
  ///
  /// The run can start with the end of the previous word, such as "d-" from "libpod-", and end with
  /// the start of the next one.
  fileprivate var identifiers: [[UInt8]] {
    let dash = UInt8(ascii: "-")
    let parts = split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == dash || $0 == UInt8(ascii: ":") })
    var found = parts.filter { $0.count >= 24 }.map(Array.init)
    // Each part is directly preceded by its separator.
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

  /// Replaces all occurrences of a word that are not adjacent to letters or digits, ignoring case.
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

  /// A Boolean value that indicates whether the byte is part of a word.
  ///
  /// This is the case for ASCII letters and digits, and for all bytes of other characters.
  fileprivate var isWord: Bool {
    isDigit || self >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased)
  }
}

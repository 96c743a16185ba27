/// The order of names with numbers in them, in which `video2` comes before `video10`.
enum NaturalOrder {
  /// Whether a name comes before another; `nil` where they are the same.
  static func isBefore(_ left: String, _ right: String) -> Bool? {
    var (left, right) = (Substring(left).utf8, Substring(right).utf8)
    while let one = left.first, let other = right.first {
      if isDigit(one), isDigit(other) {
        let (first, second) = (number(&left), number(&right))
        if first.count != second.count { return first.count < second.count }
        for (one, other) in zip(first, second) where one != other { return one < other }
      } else {
        if one != other { return one < other }
        left = left.dropFirst()
        right = right.dropFirst()
      }
    }
    return left.isEmpty == right.isEmpty ? nil : left.isEmpty
  }

  /// Takes the digits at the beginning, of any number of them, without zeros before them.
  private static func number(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

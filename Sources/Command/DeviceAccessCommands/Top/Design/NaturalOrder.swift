/// An order for names that contain numbers, in which `video2` precedes `video10`.
enum NaturalOrder {
  /// Returns whether a name precedes another one; `nil` if they are equal in this order.
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

  /// Removes the digits at the start and returns them without leading zeros.
  private static func number(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// Compares words that may be misspelled.
enum LetterDistance {
  /// Returns whether two words differ at most in one letter that is changed, omitted or added, or
  /// in two adjacent letters that are swapped.
  static func isAtMostOne(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    let start = zip(one, other).prefix { $0 == $1 }.count
    let first = Array(one[start...])
    let second = Array(other[start...])
    if first.count == second.count {
      return first.dropFirst() == second.dropFirst()
        || (first.count > 1 && first[0] == second[1] && first[1] == second[0]
          && first.dropFirst(2) == second.dropFirst(2))
    }
    return first.count > second.count
      ? first.dropFirst() == second[...] : second.dropFirst() == first[...]
  }
}

extension BidirectionalCollection<String> {
  /// Returns the words as one phrase, such as `read, write and execute`.
  ///
  /// - Parameter conjunction: The word before the last element: `and` or `or`.
  /// - Returns: The phrase; empty without a word.
  package func listed(with conjunction: String = "and") -> String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}

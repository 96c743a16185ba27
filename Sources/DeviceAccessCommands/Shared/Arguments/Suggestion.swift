/// Finds the word that somebody probably meant.
enum Suggestion {
  /// The nearest of the known words; `nil` when none is near.
  ///
  /// A word is near when it begins with what was typed, or when at most two letters are missing,
  /// added, changed or swapped with their neighbours, and more than half of it is right.
  static func nearest(to word: String, in known: [String]) -> String? {
    let typed = Array(word.lowercased().utf8.prefix(longest))
    guard typed.count > 1 else { return nil }
    if let whole = known.first(where: { $0.utf8.starts(with: typed) }) { return whole }
    let distances = known.map { (word: $0, distance: distance(typed, Array($0.utf8))) }
    guard let best = distances.min(by: { $0.distance < $1.distance }),
      best.distance <= min(2, (max(typed.count, best.word.utf8.count) - 1) / 2)
    else { return nil }
    return best.word
  }

  /// As much as is compared: no word of ours is longer.
  private static let longest = 32

  /// How many letters are missing, added, changed or swapped (Damerau and Levenshtein).
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var next = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var cost = min(last[column + 1] + 1, next[column] + 1, last[column] + (isSame ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, before[column - 1] + 1)
        }
        next.append(cost)
      }
      before = last
      last = next
    }
    return last[right.count]
  }
}

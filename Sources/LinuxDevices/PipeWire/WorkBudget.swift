/// How much work somebody else may cause: so much at once, and so much a second.
struct WorkBudget: Sendable {
  private let most: Int
  private let eachSecond: Int
  private var left: Int
  private var moment = ContinuousClock.now

  /// A budget in steps, each of which takes some nanoseconds: a few tenths of a second of a
  /// processor at once, and a few hundredths of each second.
  init(most: Int = 1 << 24, eachSecond: Int = 1 << 20) {
    self.most = most
    self.eachSecond = eachSecond
    left = most
  }

  /// Takes some work off.
  ///
  /// - Returns: Whether so much was left.
  mutating func spend(_ work: Int) -> Bool {
    let now = ContinuousClock.now
    let earned = moment.duration(to: now) / .seconds(1) * Double(eachSecond)
    left = Int(min(Double(left) + earned, Double(most))) - work
    moment = now
    return left >= 0
  }
}

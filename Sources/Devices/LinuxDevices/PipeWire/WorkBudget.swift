/// A limit for the work that another program may cause: a burst, and a rate per second.
struct WorkBudget: Sendable {
  private let most: Int
  private let eachSecond: Int
  private var left: Int
  private var moment = ContinuousClock.now

  /// Creates a budget in steps, each of which takes a few nanoseconds.
  ///
  /// The default allows a burst of a few tenths of a second of processor time, and a few hundredths
  /// of a second in each second.
  init(most: Int = 1 << 24, eachSecond: Int = 1 << 20) {
    self.most = most
    self.eachSecond = eachSecond
    left = most
  }

  /// Subtracts some work from the budget.
  ///
  /// - Returns: `true` if the budget was sufficient.
  mutating func spend(_ work: Int) -> Bool {
    let now = ContinuousClock.now
    let earned = moment.duration(to: now) / .seconds(1) * Double(eachSecond)
    left = Int(min(Double(left) + earned, Double(most))) - work
    moment = now
    return left >= 0
  }
}

import Testing

@testable import DeviceWatching

@Suite struct `The budget of looks` {
  /// Scans as often as a budget allows, for at least ten minutes.
  private static func scan(
    as budget: inout ScanBudget, _ scan: Duration
  ) -> (elapsed: Duration, spent: Duration) {
    let begin = ContinuousClock.now
    var (now, spent) = (begin, Duration.zero)
    while begin.duration(to: now) < .seconds(600) {
      now = max(now, budget.earliest)
      budget.add(from: now, to: now.advanced(by: scan))
      now = now.advanced(by: scan)
      spent += scan
    }
    return (begin.duration(to: now), spent)
  }

  @Test(arguments: [Duration.milliseconds(20), .milliseconds(60)])
  func `lets a few looks follow each other at once`(_ scan: Duration) {
    var budget = ScanBudget()
    let now = ContinuousClock.now
    for number in 0..<4 {
      #expect(budget.earliest <= now)
      let start = now.advanced(by: scan * number)
      budget.add(from: start, to: start.advanced(by: scan))
    }
  }

  @Test(arguments: [Duration.milliseconds(1), .milliseconds(50), .seconds(3)])
  func `leaves four fifths of the time to others, however many events come`(_ scan: Duration) {
    var budget = ScanBudget()
    let (elapsed, spent) = Self.scan(as: &budget, scan)
    let fifth = elapsed / ScanBudget.share
    #expect(spent <= fifth + budget.credit + scan)
    #expect(spent >= fifth - budget.credit - scan)
  }

  @Test(arguments: [(0, 5), (47, 5), (80, 10), (1000, 125), (4000, 500)])
  func `leaves more of the time to others where looks are at many objects`(
    _ objectCount: Int, _ share: Int
  ) {
    // The scan is so short that no rest reaches the maximum.
    let scan = Duration.milliseconds(1)
    var budget = ScanBudget()
    budget.objectCount = objectCount
    let (elapsed, spent) = Self.scan(as: &budget, scan)
    #expect(spent <= (elapsed + budget.credit) / share + scan)
    #expect(spent >= elapsed / share - scan)
  }

  @Test(arguments: [10, 100, 1000, 100_000])
  func `never holds looks at many up for long`(_ objectCount: Int) {
    for scan in [Duration.milliseconds(1), .milliseconds(150), .seconds(2)] {
      var budget = ScanBudget(ahead: .zero)
      let start = ContinuousClock.now
      budget.objectCount = objectCount
      budget.add(from: start, to: start.advanced(by: scan))
      let rest = start.duration(to: budget.earliest)
      #expect(rest >= scan * ScanBudget.share)
      #expect(rest <= max(scan * ScanBudget.share, .seconds(1)))
    }
  }

  @Test func `forgives what was long ago`() {
    var budget = ScanBudget()
    let start = ContinuousClock.now
    budget.add(from: start, to: start.advanced(by: .seconds(60)))
    #expect(budget.earliest > start.advanced(by: .seconds(290)))
    let later = start.advanced(by: .seconds(3600))
    budget.add(from: later, to: later.advanced(by: .milliseconds(60)))
    #expect(budget.earliest <= later)
  }
}

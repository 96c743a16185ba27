import Testing

@testable import DevicePermissions

@Suite struct `The budget of looks` {
  @Test(arguments: [Duration.milliseconds(20), .milliseconds(60)])
  func `lets a few looks follow each other at once`(_ look: Duration) {
    var budget = LookBudget()
    let now = ContinuousClock.now
    for number in 0..<4 {
      #expect(budget.earliest <= now)
      let start = now.advanced(by: look * number)
      budget.add(from: start, to: start.advanced(by: look))
    }
  }

  @Test(arguments: [Duration.milliseconds(1), .milliseconds(50), .seconds(3)])
  func `leaves four fifths of the time to others, however many events come`(_ look: Duration) {
    var budget = LookBudget()
    let begin = ContinuousClock.now
    var (now, spent) = (begin, Duration.zero)
    while begin.duration(to: now) < .seconds(600) {
      now = max(now, budget.earliest)
      budget.add(from: now, to: now.advanced(by: look))
      now = now.advanced(by: look)
      spent += look
    }
    let fifth = begin.duration(to: now) / LookBudget.share
    #expect(spent <= fifth + budget.credit + look)
    #expect(spent >= fifth - budget.credit - look)
  }

  @Test func `forgives what was long ago`() {
    var budget = LookBudget()
    let start = ContinuousClock.now
    budget.add(from: start, to: start.advanced(by: .seconds(60)))
    #expect(budget.earliest > start.advanced(by: .seconds(290)))
    let later = start.advanced(by: .seconds(3600))
    budget.add(from: later, to: later.advanced(by: .milliseconds(60)))
    #expect(budget.earliest <= later)
  }
}

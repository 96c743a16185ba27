import Testing

@testable import DeviceWatching

@Suite struct `The pace of events` {
  private let start = ContinuousClock.now

  private func after(_ milliseconds: Int) -> ContinuousClock.Instant {
    start.advanced(by: .milliseconds(milliseconds))
  }

  @Test func `rests while one file after the other changes, and not before`() {
    var pace = EventThrottle(now: start)
    let rests = (0..<200).map { number in
      pace.takesRest(after: .some([number]), now: after(number * 10))
    }
    let first = rests.firstIndex(of: true)
    #expect(first.map { (EventThrottle.credit...EventThrottle.credit + 5).contains($0) } == true)
    #expect(rests.dropFirst(first ?? 0).allSatisfy { $0 })
  }

  @Test func `does not rest for events as slow as its rests`() {
    var pace = EventThrottle(now: start)
    for number in 0..<1000 {
      let rests = pace.takesRest(
        after: .some([number]), now: after(number * Int(EventThrottle.rest)))
      #expect(!rests)
    }
  }

  @Test func `tells the first events at once after a quiet time`() {
    var pace = EventThrottle(now: start)
    for number in 0..<100 { _ = pace.takesRest(after: .some([number]), now: after(number)) }
    let isResting = pace.takesRest(after: .some([100]), now: after(100))
    let quiet = Int(EventThrottle.rest) * (100 + EventThrottle.credit)
    let restsLater = pace.takesRest(after: .some([100]), now: after(100 + quiet))
    #expect(isResting && !restsLater)
  }

  /// A change that is reverted during the rest would never be reported.
  @Test(arguments: [5, 20, 100, 250])
  func `never rests for long while one question changes again and again`(_ interval: Int) {
    var pace = EventThrottle(now: start)
    var rests = 0
    for number in 0..<2000 where pace.takesRest(after: .some([7]), now: after(number * interval)) {
      rests += 1
    }
    #expect(rests < EventThrottle.busyCount)
  }

  /// Neither a storm nor a question that changed repeatedly delays events long afterwards.
  @Test(arguments: [1, 1000])
  func `forgets what was before a quiet time`(_ questionCount: Int) {
    var pace = EventThrottle(now: start)
    for number in 0..<10_000 {
      _ = pace.takesRest(after: .some([number % questionCount]), now: after(number))
    }
    let quiet = 10_000 + Int(EventThrottle.rest) * (EventThrottle.credit + 1)
    for number in 0..<EventThrottle.credit {
      let rests = pace.takesRest(after: .some([5000 + number]), now: after(quiet + number * 10))
      #expect(!rests)
    }
  }

  /// Simulates a process that is stopped between two changes, or a busy machine.
  @Test func `never rests for one question alone, however long it waits in between`() {
    var pace = EventThrottle(now: start)
    var time = 0
    for number in 0..<3000 {
      time += number % 100 == 99 ? 7000 : 10
      let rests = pace.takesRest(after: .some([7]), now: after(time))
      #expect(!rests)
    }
  }

  @Test func `rests after what touches every question`() {
    var pace = EventThrottle(now: start)
    let rests = (0..<100).map { pace.takesRest(after: .all, now: after($0 * 10)) }
    #expect(rests.contains(true) && rests.prefix(EventThrottle.credit).allSatisfy { !$0 })
  }
}

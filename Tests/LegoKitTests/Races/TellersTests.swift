import Testing

@testable import LegoKit

@Suite struct `The turn to tell` {
  private func tellers(limit: Int = 1_024) -> Tellers {
    Tellers(backlog: Backlog(limit: limit, patience: .seconds(60)))
  }

  /// A thread that does not run: no handle is so small.
  private func thread(_ number: Int) -> ThreadID { ThreadID(UInt(number)) }

  @Test func `holds without end for what the teller has caused`() {
    let tellers = tellers()
    var share = Share()
    for _ in 0..<10_000 {
      let isAllowed = tellers.mayTell(.own, of: tellers.term, &share)
      #expect(isAllowed)
    }
    // None of it came out of the share.
    let isWhole = share.take()
    #expect(isWhole)
  }

  @Test func `holds for a share of what others have built`() {
    let tellers = tellers()
    var share = Share()
    var told = 0
    while tellers.mayTell(.other, of: tellers.term, &share) { told += 1 }
    #expect((1...256).contains(told))
    // What is the teller's own is told all the same.
    let isAllowed = tellers.mayTell(.own, of: tellers.term, &share)
    #expect(isAllowed)
  }

  @Test func `makes everything in the queue another's when it is passed on`() {
    var tellers = tellers()
    let term = tellers.term
    _ = tellers.passOn()
    var share = Share()
    var told = 0
    while tellers.mayTell(.own, of: term, &share) { told += 1 }
    #expect((1...256).contains(told))
  }

  @Test func `goes to the builder that waits longest and is still patient`() {
    var tellers = tellers(limit: 0)
    let builders = (1...3).compactMap { count -> WaitingBuilder? in
      guard case .wait(let builder) = tellers.arrive(from: thread(count), count: count) else {
        return nil
      }
      return builder
    }
    #expect(builders.count == 3)
    #expect(builders[0].finish(.impatience))
    guard case .builder(let next) = tellers.passOn() else {
      Issue.record("the turn went to nobody who waits")
      return
    }
    #expect(next === builders[1])
    // Its wait has ended, so that nothing else can end it.
    #expect(!next.finish(.impatience))
  }

  @Test func `is offered where nobody waits, and taken once`() {
    var tellers = tellers()
    guard case .helper = tellers.passOn() else {
      Issue.record("nobody was asked to tell the rest")
      return
    }
    // A builder that comes before the store's task takes it.
    guard case .tell = tellers.arrive(from: thread(1), count: 1) else {
      Issue.record("the turn was not taken")
      return
    }
    let isTaken = tellers.takeOffered()
    #expect(!isTaken)
    guard case .helper = tellers.passOn() else {
      Issue.record("the store's task is over, and was not started again")
      return
    }
    let isTakenThen = tellers.takeOffered()
    #expect(isTakenThen)
    guard case .anyone = tellers.passOn() else {
      Issue.record("the store's task is under way, and was started again")
      return
    }
    let isTakenAgain = tellers.takeOffered()
    #expect(isTakenAgain)
  }

  @Test func `knows the builds of its own thread, and those of others beside it`() {
    var tellers = tellers()
    tellers.beginTurn(on: thread(1))
    let own = tellers.origin(from: thread(1))
    #expect(own == .own)
    #expect(!tellers.hasSeenOthers)
    let other = tellers.origin(from: thread(2))
    #expect(other == .other)
    #expect(tellers.hasSeenOthers)
    // What follows from another's change is that one's, whoever tells it.
    var waking: [WaitingBuilder] = []
    tellers.tell(.other, of: tellers.term, leaving: 0, &waking)
    let caused = tellers.origin(from: thread(1))
    #expect(caused == .other)
  }

  @Test func `has nobody wait inside it, nor for one that waits`() {
    var (first, second) = (tellers(limit: 0), tellers(limit: 0))
    first.beginTurn(on: thread(11))
    second.beginTurn(on: thread(12))
    guard case .leave = first.arrive(from: thread(11), count: 1) else {
      Issue.record("the teller waits for itself")
      return
    }
    // The first store's teller builds into the second.
    guard case .wait(let builder) = second.arrive(from: thread(11), count: 1) else {
      Issue.record("a builder that may wait did not")
      return
    }
    guard case .leave = first.arrive(from: thread(12), count: 1) else {
      Issue.record("two tellers wait for each other")
      return
    }
    #expect(builder.finish(.room))
    guard case .wait = first.arrive(from: thread(12), count: 1) else {
      Issue.record("a teller whose wait has ended still counts as one that waits")
      return
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `leaves nobody waiting, in any order of builds, tells and changes of the teller`(
    seed: UInt64
  ) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ limit: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % limit
    }
    let limit = Int(random(5))
    var tellers = tellers(limit: limit)
    var (queued, waiting, number) = (0, 0, 0)
    func tell() {
      var waking: [WaitingBuilder] = []
      queued -= 1
      tellers.tell(.other, of: tellers.term, leaving: queued, &waking)
      waiting -= waking.count
    }
    for _ in 0..<200 {
      switch random(4) {
      case 0, 1:
        number += 1
        queued += 1
        // Threads of this case alone: which ones wait is known to all stores.
        switch tellers.arrive(from: thread(Int(seed + 1) * 1_000 + number), count: queued) {
        case .wait: waiting += 1
        case .leave: #expect(queued <= limit)
        case .tell: break
        }
      case 2 where queued > 0:
        tell()
      case 3 where queued > 0:
        if case .builder = tellers.passOn() { waiting -= 1 }
      default:
        break
      }
      #expect(waiting >= 0)
    }
    while queued > 0 { tell() }
    #expect(waiting == 0)
  }
}

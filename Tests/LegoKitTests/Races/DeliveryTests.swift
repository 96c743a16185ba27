import Testing

@testable import LegoKit

@Suite struct `The delivery of a queue` {
  private func delivery(limit: Int = 1_024) -> Delivery {
    Delivery(backlog: Backlog(limit: limit, patience: .seconds(60)))
  }

  /// A thread that does not run: no handle is so small.
  private func thread(_ number: Int) -> ThreadID { ThreadID(UInt(number)) }

  /// A delivery that is under way on a thread.
  private func delivery(limit: Int = 1_024, on thread: ThreadID) -> Delivery {
    var delivery = delivery(limit: limit)
    _ = delivery.admit(from: thread, count: 1)
    return delivery
  }

  @Test func `holds without end for what the deliverer has caused`() {
    var delivery = delivery(on: thread(1))
    for _ in 0..<10_000 {
      let isAllowed = delivery.mayDeliver(from: delivery.session)
      #expect(isAllowed)
    }
    // None of it came out of the share.
    let isWhole = delivery.mayDeliver(from: 0)
    #expect(isWhole)
  }

  @Test func `holds for a share of what others have built`() {
    var delivery = delivery(on: thread(1))
    var delivered = 0
    while delivery.mayDeliver(from: 0) { delivered += 1 }
    #expect((1...256).contains(delivered))
    // The deliverer's own changes are delivered all the same.
    let isAllowed = delivery.mayDeliver(from: delivery.session)
    #expect(isAllowed)
  }

  @Test func `makes everything in the queue another's when it is handed over`() {
    var delivery = delivery(limit: 0, on: thread(1))
    let session = delivery.session
    guard case .wait(let waiting) = delivery.admit(from: thread(2), count: 1).role,
      case .builder(let builder) = delivery.handOver()
    else {
      Issue.record("the builder that waits does not continue")
      return
    }
    #expect(builder === waiting)
    var delivered = 0
    while delivery.mayDeliver(from: session) { delivered += 1 }
    #expect((1...256).contains(delivered))
  }

  @Test func `goes to the builder that waits longest and is still patient`() {
    var delivery = delivery(limit: 0, on: thread(20))
    let builders = (1...3).compactMap { count -> WaitingBuilder? in
      guard case .wait(let builder) = delivery.admit(from: thread(count), count: count).role else {
        return nil
      }
      return builder
    }
    #expect(builders.count == 3)
    #expect(builders[0].finish(.timeout))
    guard case .builder(let next) = delivery.handOver() else {
      Issue.record("no builder that waits continues")
      return
    }
    #expect(next === builders[1])
    // Its wait has ended: nothing else can end it.
    #expect(!next.finish(.timeout))
  }

  @Test func `is left to the next builder or a task where no builder waits, and taken once`() {
    var delivery = delivery(on: thread(1))
    guard case .newTask = delivery.handOver() else {
      Issue.record("no task was started")
      return
    }
    // A builder that comes before the store's task takes it.
    guard case .deliver = delivery.admit(from: thread(2), count: 1).role else {
      Issue.record("the builder does not deliver")
      return
    }
    let isTaken = delivery.continueTask(on: thread(3), isQueueEmpty: false)
    #expect(!isTaken)
    guard case .newTask = delivery.handOver() else {
      Issue.record("the store's task has ended, and was not started again")
      return
    }
    let isTakenThen = delivery.continueTask(on: thread(3), isQueueEmpty: false)
    #expect(isTakenThen)
    guard case .anyone = delivery.handOver() else {
      Issue.record("the store's task is running, and was started again")
      return
    }
    let isTakenAgain = delivery.continueTask(on: thread(3), isQueueEmpty: false)
    #expect(isTakenAgain)
  }

  @Test func `distinguishes builds of its own thread from those of others`() {
    var delivery = delivery(on: thread(1))
    let own = delivery.admit(from: thread(1), count: 1).session
    #expect(own == delivery.session)
    let other = delivery.admit(from: thread(2), count: 1).session
    #expect(other == 0)
    // A change caused by another thread's change belongs to that thread, whichever delivers it.
    _ = delivery.mayDeliver(from: other)
    let caused = delivery.admit(from: thread(1), count: 1).session
    #expect(caused == 0)
  }

  @Test func `lets no builder wait for itself, nor for one that waits`() {
    var (first, second) = (delivery(limit: 0, on: thread(11)), delivery(limit: 0, on: thread(12)))
    guard case .leave = first.admit(from: thread(11), count: 1).role else {
      Issue.record("the deliverer waits for itself")
      return
    }
    // The first store's deliverer builds into the second.
    guard case .wait(let builder) = second.admit(from: thread(11), count: 1).role else {
      Issue.record("a builder that may wait did not")
      return
    }
    guard case .leave = first.admit(from: thread(12), count: 1).role else {
      Issue.record("two deliverers wait for each other")
      return
    }
    #expect(builder.finish(.room))
    guard case .wait = first.admit(from: thread(12), count: 1).role else {
      Issue.record("a deliverer whose wait has ended still counts as one that waits")
      return
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `leaves no builder waiting, in any order of builds, deliveries and handovers`(
    seed: UInt64
  ) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ limit: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % limit
    }
    let limit = Int(random(5))
    var delivery = delivery(limit: limit)
    var (queued, waiting, number) = (0, 0, 0)
    func deliver() {
      queued -= 1
      waiting -= delivery.buildersWithRoom(count: queued).count
    }
    for _ in 0..<200 {
      switch random(4) {
      case 0, 1:
        number += 1
        queued += 1
        // All stores share the set of waiting threads, so each case has its own.
        let thread = thread(Int(seed + 1) * 1_000 + number)
        let hasDeliverer = delivery.thread != nil
        switch delivery.admit(from: thread, count: queued).role {
        case .wait: waiting += 1
        case .leave: #expect(queued <= limit)
        case .deliver: #expect(!hasDeliverer)
        case .startTask: Issue.record("a builder that may deliver starts a task")
        }
      case 2 where queued > 0:
        deliver()
      case 3 where queued > 0:
        if case .builder = delivery.handOver() { waiting -= 1 }
      default:
        break
      }
      #expect(waiting >= 0)
    }
    while queued > 0 { deliver() }
    #expect(waiting == 0)
  }
}

import LegoKit
import LegoTesting
import RaceRounds
import Synchronization
import Testing

/// An adaptor that saves at the end, and works until it is cancelled.
private final class Saving: Adaptor<Counter> {
  private let gate: Gate
  private let log: Collected<String>

  init(_ gate: Gate, _ log: Collected<String>) {
    self.gate = gate
    self.log = log
  }

  override func effect(
    _ design: Counter.Design, on change: Counter.Change
  ) -> Effect<Counter.Change> {
    guard change == .label("work") else { return .none }
    return .run { [log] send in
      try? await Task.sleep(for: .seconds(3_600))
      log.append(Task.isCancelled ? "cancelled" : "slept")
      send(.add(1_000))
    }
  }

  override func closing(_ design: Counter.Design) -> Effect<Counter.Change> {
    log.append("closing at \(design.count)")
    return .run { [gate, log] send in
      await gate.pass()
      log.append("saved")
      send(.label("saved"))
    }
  }

  override var follows: [Follow<Counter>] {
    [
      Follow(\.count) { [log] count in
        log.append("follows \(count)")
        return .none
      }
    ]
  }
}

/// An adaptor that sends a change by its link while it is asked what it must finish.
private final class SendingAtTheEnd: Adaptor<Counter> {
  private let link = Collected<StoreLink<Counter>>()

  override func opened() -> (@Sendable (StoreLink<Counter>) -> Void)? {
    { [link] in link.append($0) }
  }

  override func effect(
    _ design: Counter.Design, on change: Counter.Change
  ) -> Effect<Counter.Change> {
    change == .add(1) ? .send(.add(10)) : .none
  }

  override func closing(_ design: Counter.Design) -> Effect<Counter.Change> {
    let isSent = link.values[0].send(.add(1))
    // The change is applied, and answered later.
    #expect(isSent && link.values[0].design?.count == design.count + 1)
    return .send(.label("saved at \(design.count)"))
  }
}

private final class Count: Sendable {
  let value = Atomic(0)
}

@Suite struct `Closing a store` {
  @Test func `finishes what is owed, and then ends everything`() async {
    let gate = Gate()
    let log = Collected<String>()
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [Saving(gate, log)])
    lego.build(.add(1))
    let work = lego.build(.label("work"))
    var designs = lego.designs.makeAsyncIterator()
    var counts = lego.observe(\.count).makeAsyncIterator()
    var changes = lego.changes.makeAsyncIterator()
    #expect(await designs.next()?.count == 1)
    #expect(await counts.next() == 1)

    let problems = await problems {
      async let closed: Void = lego.close()
      await gate.waitForArrivals()
      // It is owed still, so that nothing has ended yet, but nothing more comes from outside.
      #expect(lego.effectCount == 2)
      #expect(lego.build(.add(1)).number == 0)
      gate.open()
      await closed
      #expect(lego.build(.add(2)).number == 0)
      await lego.build(.add(3)).finished()
    }
    #expect(problems.count == 3)
    #expect(problems.allSatisfy { $0.contains("after the store was closed") })
    #expect(lego.design == .init(count: 1, label: "saved"))
    #expect(lego.effectCount == 0)
    await work.finished()
    #expect(await designs.next()?.label == "saved")
    #expect(await designs.next() == nil)
    #expect(await counts.next() == nil)
    #expect(await changes.next() == .label("saved"))
    #expect(await changes.next() == nil)
    #expect(log.values.prefix(4) == ["follows 0", "follows 1", "closing at 1", "saved"])
  }

  @Test func `lets effects go on until what is owed is finished`() async {
    let gate = Gate()
    let subject = PassthroughSubject<Counter.Change, Never>()
    final class Listening: Adaptor<Counter> {
      let subject: PassthroughSubject<Counter.Change, Never>
      init(_ subject: PassthroughSubject<Counter.Change, Never>) { self.subject = subject }
      override func effect(
        _ design: Counter.Design, on change: Counter.Change
      ) -> Effect<Counter.Change> { change == .nothing ? .publisher(subject) : .none }
    }
    let lego = Lego(
      .init(), blueprint: Counter(), adaptors: [Listening(subject), Saving(gate, Collected())])
    lego.build(.nothing)
    async let closed: Void = lego.close()
    await gate.waitForArrivals()
    subject.send(.add(5))
    #expect(lego.design.count == 5)
    gate.open()
    await closed
    subject.send(.add(7))
    #expect(lego.design.count == 5)
  }

  @Test func `happens once, whoever asks for it, and is over for all at the same time`() async {
    for _ in 0..<raceRounds(200) {
      let gate = Gate()
      let log = Collected<String>()
      let lego = Lego(.init(), blueprint: Counter(), adaptors: [Saving(gate, log)])
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            await lego.close()
            #expect(lego.design.label == "saved")
          }
        }
        group.addTask { gate.open() }
      }
      await lego.close()
      #expect(log.values == ["follows 0", "closing at 0", "saved"])
    }
  }

  @Test func `goes on when the task that asked for it is cancelled`() async {
    let gate = Gate()
    let log = Collected<String>()
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [Saving(gate, log)])
    let task = Task { await lego.close() }
    await gate.waitForArrivals()
    task.cancel()
    gate.open()
    await task.value
    #expect(log.values == ["follows 0", "closing at 0", "saved"])
    #expect(lego.design.label == "saved")
  }

  @Test func `finishes what every part owes`() async {
    final class Leaving: Adaptor<Room> {
      override func closing(_ design: Room.Design) -> Effect<Room.Change> {
        .run { send in send(.name("left \(design.id)")) }
      }
    }
    let room = Feature(Room(), adaptors: [Leaving()])
    let house = Feature(House()).each(\.rooms, .case(House.Change.room), room)
    let lego = Lego(.init(rooms: [.init(id: 1), .init(id: 2)]), feature: house)
    await lego.close()
    #expect(lego.design.rooms.map(\.name) == ["left 1", "left 2"])
  }

  @Test func `lets an adaptor send while it is asked what it must finish`() async {
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [SendingAtTheEnd()])
    var changes = lego.changes.makeAsyncIterator()
    await lego.close()
    #expect(lego.design == .init(count: 11, label: "saved at 0"))
    for expected in [.add(1), .label("saved at 0"), .add(10), nil] as [Counter.Change?] {
      #expect(await changes.next() == expected)
    }
  }

  @Test func `lets an adaptor send at the end while another thread builds`() async {
    for _ in 0..<raceRounds(300) {
      let lego = Lego(.init(), blueprint: Counter(), adaptors: [SendingAtTheEnd()])
      await withContractors {
        $0.problemSink = LogSink { _ in }
      } operation: {
        await withTaskGroup { group in
          group.addTask { for _ in 0..<100 { lego.build(.add(2)) } }
          group.addTask { await lego.close() }
        }
      }
      // The builds before the end, the change of the link, and its answer.
      #expect((lego.design.count - 11).isMultiple(of: 2))
      #expect(lego.design.label.hasPrefix("saved at "))
    }
  }

  @Test func `ends a store that has nothing to finish`() async {
    let lego = Lego(.init(), blueprint: Counter())
    await lego.close()
    let problems = await problems { #expect(lego.build(.add(1)).number == 0) }
    #expect(problems.count == 1)
    // Who comes later finds the last design, and the end.
    var designs = lego.designs.makeAsyncIterator()
    #expect(await designs.next() == .init())
    #expect(await designs.next() == nil)
    var changes = lego.changes.makeAsyncIterator()
    #expect(await changes.next() == nil)
  }

  @Test func `tells all that was applied and nothing after it, while two threads build`() async {
    await withContractors {
      $0.problemSink = LogSink { _ in }
    } operation: {
      for _ in 0..<raceRounds(300) {
        let lego = Lego(.init(), blueprint: Counter())
        let told = Count()
        let observer = lego.observe(\.count) { _ in told.value.add(1, ordering: .relaxed) }
        await withTaskGroup { group in
          for _ in 0..<2 {
            group.addTask {
              for _ in 0..<1_000 where lego.build(.add(1)).number == 0 { break }
            }
          }
          group.addTask {
            await Task.yield()
            await lego.close()
            let count = lego.design.count
            #expect(told.value.load(ordering: .acquiring) == count)
          }
        }
        #expect(told.value.load(ordering: .acquiring) == lego.design.count)
        observer.cancel()
      }
    }
  }

  @Test func `is accounted for under test`() async {
    let gate = Gate()
    gate.open()
    let lego = TestLego(.init(), blueprint: Counter(), adaptors: [Saving(gate, Collected())])
    await lego.close()
    await lego.receive(.label("saved")) { $0.label = "saved" }
    await lego.finish()
  }
}

import LegoPublishers
import Testing

@Suite struct `A timeout of a publisher that connects nobody in time` {
  /// Connects its subscribers when it is told to.
  private final class Late: Publisher {
    typealias Output = Int
    typealias Failure = Failed
    let subject = PassthroughSubject<Int, Failed>()
    let waiting = Collected<@Sendable () -> Void>()

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failed {
      waiting.append { [subject] in subject.receive(subscriber: subscriber) }
    }

    func connect() { for connect in waiting.values { connect() } }
  }

  private let clock = TestClock()
  private let late = Late()

  @Test func `ends, through operators as well`() async {
    let plain = Probe<Int, Failed>(demand: .unlimited)
    let collected = Probe<[Int], Failed>(demand: .unlimited)
    let failed = Probe<Int, Failed>(demand: .none)
    late.timeout(.seconds(1), scheduler: clock).subscribe(plain)
    late.timeout(.seconds(1), scheduler: clock).collect().subscribe(collected)
    late.timeout(.seconds(1), scheduler: clock, customError: { Failed() })
      .flatMap { Just($0) }.subscribe(failed)
    await clock.advance(by: .seconds(1))
    #expect(plain.subscriptions == 1)
    #expect(plain.events == ["finished"])
    #expect(collected.events == ["[]", "finished"])
    #expect(failed.events == ["failure"])
    late.connect()
    late.subject.send(1)
    #expect(plain.events == ["finished"])
  }

  @Test func `asks it for what was asked for meanwhile`() async {
    let probe = Probe<Int, Failed>(demand: .max(1))
    late.timeout(.seconds(1), scheduler: clock).subscribe(probe)
    probe.request(.max(1))
    late.connect()
    for value in 1...3 { late.subject.send(value) }
    #expect(probe.events == ["1", "2"])
    probe.request(.max(1))
    late.subject.send(4)
    #expect(probe.events == ["1", "2", "4"])
    await clock.advance(by: .seconds(1))
    #expect(probe.events == ["1", "2", "4", "finished"])
  }

  @Test func `passes on a cancellation`() async {
    let probe = Probe<Int, Failed>(demand: .unlimited)
    late.timeout(.seconds(1), scheduler: clock).subscribe(probe)
    probe.cancel()
    late.connect()
    late.subject.send(1)
    await clock.advance(by: .seconds(1))
    #expect(probe.events == [])
  }
}

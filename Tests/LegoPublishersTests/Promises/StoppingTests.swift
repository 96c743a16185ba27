import LegoPublishers
import RaceRounds
import Testing

@Suite struct `A publisher that stops the process` {
  private let subject = PassthroughSubject<Int, Failed>()

  @Test func `what must not fail passes on values as they are asked for`() {
    let probe = Probe<Int, Never>(demand: .max(1))
    (1...3).publisher.setFailureType(to: Failed.self).assertNoFailure().subscribe(probe)
    #expect(probe.events == ["1"])
    probe.request(.unlimited)
    #expect(probe.events == ["1", "2", "3", "finished"])
  }

  @Test func `what must not fail ends as it is told, or the process ends`() async {
    let probe = Probe<Int, Never>(demand: .unlimited)
    subject.assertNoFailure().subscribe(probe)
    subject.send(1)
    subject.send(completion: .finished)
    subject.send(2)
    #expect(probe.events == ["1", "finished"])
    await #expect(processExitsWith: .failure) {
      let probe = Probe<Int, Never>(demand: .unlimited)
      Fail<Int, Failed>(error: Failed()).assertNoFailure("here: ").subscribe(probe)
    }
  }

  @Test func `what must not fail passes a cancel on`() {
    let cancels = Collected<Int>()
    let probe = Probe<Int, Never>(demand: .unlimited)
    subject.handleEvents(receiveCancel: { cancels.append(1) }).assertNoFailure().subscribe(probe)
    probe.cancel()
    probe.cancel()
    subject.send(1)
    #expect(probe.events == [])
    #expect(cancels.values == [1])
  }

  @Test func `what must not fail serves one that asks and cancels while it receives`() {
    let probe = Probe<Int, Never>(demand: .max(1)) { probe, value in
      if value == 3 { probe.cancel() } else { probe.request(.max(1)) }
      return .none
    }
    (1...9).publisher.setFailureType(to: Failed.self).assertNoFailure().subscribe(probe)
    #expect(probe.events == ["1", "2", "3"])
  }

  @Test func `what must not fail serves two that ask at once`() {
    let count = raceRounds(10_000)
    let order = Ascending()
    let witness = Witness<Int> { order.check($0) }
    (0..<2 * count).publisher.setFailureType(to: Failed.self).assertNoFailure().subscribe(witness)
    onBothThreads(
      { for _ in 0..<count { witness.request(.max(1)) } },
      { for _ in 0..<count { witness.request(.max(1)) } })
    #expect(witness.count == 2 * count)
    #expect(witness.faults == [])
  }

  @Test func `a breakpoint stops the process where its closure says so`() async {
    let probe = Probe<Int, Failed>(demand: .unlimited)
    subject.breakpoint(
      receiveSubscription: { _ in false }, receiveOutput: { $0 == 2 },
      receiveCompletion: { _ in false }
    )
    .breakpointOnError().subscribe(probe)
    subject.send(1)
    subject.send(completion: .finished)
    #expect(probe.events == ["1", "finished"])
    await #expect(processExitsWith: .failure) {
      let probe = Probe<Int, Never>(demand: .unlimited)
      (1...2).publisher.breakpoint(receiveOutput: { $0 == 2 }).subscribe(probe)
    }
    await #expect(processExitsWith: .failure) {
      let probe = Probe<Int, Never>(demand: .unlimited)
      Just(1).breakpoint(receiveSubscription: { _ in true }).subscribe(probe)
    }
    await #expect(processExitsWith: .failure) {
      let probe = Probe<Int, Failed>(demand: .unlimited)
      Fail<Int, Failed>(error: Failed()).breakpointOnError().subscribe(probe)
    }
  }
}

import LegoPublishers
import Testing

@Suite struct `Zipped publishers` {
  private let left = PassthroughSubject<Int, Failed>()
  private let right = PassthroughSubject<String, Failed>()
  private let log = Collected<String>()

  private func probe(
    demand: Subscribers.Demand,
    _ onValue: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> Probe<String, Failed> {
    let probe = Probe<String, Failed>(demand: demand)
    let (log, left, right) = (log, left, right)
    left.handleEvents(
      receiveCancel: { log.append("cancel left") }, receiveRequest: { log.append("left \($0)") }
    )
    .zip(
      right.handleEvents(
        receiveCancel: { log.append("cancel right") },
        receiveRequest: { log.append("right \($0)") })
    )
    .handleEvents(receiveOutput: { onValue($0.0) })
    .map { "\($0)\($1)" }.subscribe(probe)
    return probe
  }

  @Test func `zip asks both for what is wanted`() {
    let probe = probe(demand: .max(1))
    #expect(log.values == ["left max(1)", "right max(1)"])
    left.send(1)
    left.send(2)
    right.send("a")
    #expect(probe.events == ["1a"])
    probe.request(.unlimited)
    #expect(log.values.suffix(2) == ["left unlimited", "right unlimited"])
  }

  @Test func `zip pairs what has the same place`() {
    let probe = probe(demand: .unlimited)
    for number in 1...3 { left.send(number) }
    for letter in ["a", "b"] { right.send(letter) }
    #expect(probe.events == ["1a", "2b"])
  }

  @Test func `zip ends when no pair can come`() {
    let probe = probe(demand: .unlimited)
    left.send(1)
    left.send(completion: .finished)
    #expect(probe.events == [])
    right.send("a")
    #expect(probe.events == ["1a", "finished"])
    #expect(log.values.contains("cancel right"))
  }

  @Test func `zip fails with either`() {
    let probe = probe(demand: .unlimited)
    left.send(1)
    right.send(completion: .failure(Failed()))
    right.send("a")
    #expect(probe.events == ["failure"])
    #expect(log.values.contains("cancel left"))
  }

  @Test func `zip cancels both`() {
    let probe = probe(demand: .unlimited)
    left.send(1)
    probe.cancel()
    right.send("a")
    #expect(probe.events == [])
    #expect(Array(log.values.suffix(2)) == ["cancel left", "cancel right"])
  }

  @Test func `zip takes values that a receiver sends`() {
    let (left, right) = (left, right)
    let probe = probe(demand: .unlimited) { number in
      if number < 3 {
        left.send(number + 1)
        right.send("x")
      }
    }
    left.send(1)
    right.send("x")
    #expect(probe.events == ["1x", "2x", "3x"])
  }

  @Test func `three are zipped`() {
    let numbers = [1, 2, 3].publisher
    let probe = Probe<Int, Never>(demand: .unlimited)
    numbers.zip(numbers, numbers) { $0 * 100 + $1 * 10 + $2 }.subscribe(probe)
    #expect(probe.events == ["111", "222", "333", "finished"])
  }
}

import LegoPublishers
import Testing

/// What sends at once, in great number.
@Suite struct `Without a deep stack` {
  private static let count = 100_000

  private func sum(_ publisher: some Publisher<Int, Never>) -> Int {
    let sum = CurrentValueSubject<Int, Never>(0)
    let token = publisher.sink { sum.value += $0 }
    withExtendedLifetime(token) {}
    return sum.value
  }

  private var ones: some Publisher<Int, Never> { repeatElement(1, count: Self.count).publisher }

  @Test func `flatMap takes publishers that end at once`() {
    #expect(sum(ones.flatMap { Just($0) }) == Self.count)
    #expect(sum(ones.flatMap(maxPublishers: .max(1)) { Just($0) }) == Self.count)
  }

  @Test func `switchToLatest takes publishers that end at once`() {
    #expect(sum(ones.map { Just($0) }.switchToLatest()) == Self.count)
  }

  @Test func `prepend and append take long sequences`() {
    #expect(sum(ones.prepend(repeatElement(1, count: Self.count))) == 2 * Self.count)
    #expect(sum(ones.append(repeatElement(1, count: Self.count))) == 2 * Self.count)
  }

  @Test func `a receiver asks for one more each time`() {
    let probe = Probe<Int, Never>(demand: .max(1)) { probe, _ in
      probe.request(.max(1))
      return .none
    }
    repeatElement(1, count: Self.count).publisher.map { $0 }.subscribe(probe)
    #expect(probe.events.count == Self.count + 1)
  }

  @Test func `a subject's receiver sends on`() {
    let subject = PassthroughSubject<Int, Never>()
    let seen = CurrentValueSubject<Int, Never>(0)
    let token = subject.flatMap { Just($0) }.sink { value in
      seen.value = value
      if value < Self.count { subject.send(value + 1) }
    }
    subject.send(1)
    #expect(seen.value == Self.count)
    withExtendedLifetime(token) {}
  }

  @Test func `a chain is as long as a program is likely to make one`() {
    var chain = AnyPublisher<Int, Never>(Just(0))
    for number in 1...1_000 { chain = chain.append(number).eraseToAnyPublisher() }
    #expect(sum(chain) == 500_500)
    var failing = AnyPublisher<Int, Failed>(Fail(error: Failed()))
    for _ in 1...1_000 { failing = failing.catch { Fail(error: $0) }.eraseToAnyPublisher() }
    #expect(sum(failing.replaceError(with: 7)) == 7)
  }
}

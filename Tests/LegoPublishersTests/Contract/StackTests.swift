import LegoPublishers
import Testing

/// What is asked for as it is received, in great number.
@Suite struct `Without a deep stack of demand` {
  private static let count = 100_000

  @Test func `a receiver asks for one more each time`() {
    let probe = Probe<Int, Never>(demand: .max(1)) { probe, _ in
      probe.request(.max(1))
      return .none
    }
    repeatElement(1, count: Self.count).publisher.map { $0 }.subscribe(probe)
    #expect(probe.events.count == Self.count + 1)
  }
}

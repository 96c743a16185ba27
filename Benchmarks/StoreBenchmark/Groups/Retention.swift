import CMalloc
import LegoKit

/// Measures the memory that stores still hold after many changes.
@concurrent func measureRetention() async {
  guard Report.shared.isWhole else { return }
  Report.shared.begin(
    "bytes kept after 1,000,000 changes",
    "as the allocator counts them; each program ran once before, so that queues have their size")
  func kept(_ name: String, _ body: @Sendable () async -> Void) async {
    await body()
    let before = cmalloc_allocated_bytes()
    await body()
    Report.shared.add(
      .number(Double(cmalloc_allocated_bytes() - before), unit: "bytes", of: name))
  }
  func lego(_ adaptor: sending Adaptor<Count>) -> Lego<Count> {
    Lego(.init(), blueprint: Count(), adaptors: [adaptor])
  }
  let observed = Lego(.init(), blueprint: Count())
  let token = observed.onDesignChange { look($0) }
  let idle = lego(Adaptor())
  let just = lego(Answering(publisher: { Just(.add(1)).eraseToAnyPublisher() }))
  let send = lego(Answering(effect: { .send(.add(1)) }))
  let running = lego(Answering(effect: { .run { send in send(.add(1)) } }))
  await kept("one observer") { for i in 0..<1_000_000 { observed.build(.add(i)) } }
  await kept("an adaptor that is idle") { for i in 0..<1_000_000 { idle.build(.add(i)) } }
  await kept("answered by Just") { for _ in 0..<500_000 { just.build(.ask) } }
  await kept("answered by Effect.send") { for _ in 0..<500_000 { send.build(.ask) } }
  await kept("answered by async effects (40,000 changes)") {
    for _ in 0..<20_000 { await running.build(.ask).finished() }
  }
  withExtendedLifetime(token) {}
}

import LegoKit

/// Measures changes that adaptors answer immediately.
///
/// An answer from a `Just` costs as much as four to six builds. The answer is a second change, and
/// for each of the two changes an adaptor is called twice, under a lock that makes the calls
/// exclusive. In total, this takes a lock five times and makes four virtual calls.
///
/// A future adds the allocation of its state, and takes the state's lock twice. If the compiler can
/// prove that the future and its promise do not escape, it allocates them on the stack. A future
/// that a service returns, which is the usual case, needs one more allocation. The ratio to a build
/// depends on the cost of an atomic exchange on the processor.
@concurrent func measureAnswers() async {
  Report.shared.begin(
    "a build and its answer, off the main actor",
    "two changes and the adaptor's call, where the answer is ready; no observer")
  let lego = Lego(.init(), blueprint: Count())
  let token = lego.onDesignChange { look($0) }
  let idle = Lego(.init(), blueprint: Count(), adaptors: [Adaptor()])
  let just = Lego(
    .init(), blueprint: Count(),
    adaptors: [Answering(publisher: { Just(.add(1)).eraseToAnyPublisher() })])
  let send = Lego(
    .init(), blueprint: Count(), adaptors: [Answering(effect: { .send(.add(1)) })])
  let future = Lego(
    .init(), blueprint: Count(),
    adaptors: [
      Answering(publisher: { Future { $0(.success(.add(1))) }.eraseToAnyPublisher() })
    ])
  let service: any Asking = Asked()
  let served = Lego(
    .init(), blueprint: Count(),
    adaptors: [Answering(publisher: { service.answer().eraseToAnyPublisher() })])
  let costs = await measure(
    Operation("Lego.build, one observer, nothing to answer") {
      for i in 0..<$0 { lego.build(.add(i | 1)) }
    },
    Operation("an adaptor that does not answer") { for i in 0..<$0 { idle.build(.add(i)) } },
    Operation("answered by Just") { for _ in 0..<$0 { just.build(.ask) } },
    Operation("answered by Effect.send") { for _ in 0..<$0 { send.build(.ask) } },
    Operation("answered by a resolved Future") { for _ in 0..<$0 { future.build(.ask) } },
    Operation("answered by a service's resolved Future") {
      for _ in 0..<$0 { served.build(.ask) }
    })
  compare("Just, Effect.send", costs[3], to: costs[2], atMost: 1)
  compare("a build with one observer, a Future", costs[4], to: costs[0], atMost: 8)
  compare("a build with one observer, a service's Future", costs[5], to: costs[0], atMost: 8)

  Report.shared.begin(
    "a chain of 1,000 follow-ups, off the main actor",
    "a follow-up each: every change is answered by the next; no observer")
  let sending = Lego(.init(), blueprint: Count(), adaptors: [Counting { .send($0) }])
  let publishing = Lego(
    .init(), blueprint: Count(), adaptors: [Counting { .publisher(Just($0)) }])
  _ = await measure(
    Operation("Effect.send after Effect.send") {
      for _ in 0..<$0 / 1_000 { sending.build(.add(999)) }
    },
    Operation("Just after Just, as effects") {
      for _ in 0..<$0 / 1_000 { publishing.build(.add(999)) }
    })
  withExtendedLifetime(token) {}
}

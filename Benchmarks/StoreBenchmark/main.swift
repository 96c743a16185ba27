import CAllocationCounter
import LegoKit
import Synchronization

struct Count: Blueprint {
  struct Design: Equatable, Sendable { var count = 0 }
  enum Change: Equatable, Sendable { case add(Int) }
  func change(_ design: inout Design, on change: Change) {
    switch change { case .add(let n): design.count &+= n }
  }
}

final class MutexStore: Sendable {
  struct State: Sendable {
    var design = Count.Design()
    var observer: (@Sendable (Count.Design) -> Void)?
  }
  let state = Mutex(State())
  func observe(_ body: @escaping @Sendable (Count.Design) -> Void) { state.withLock { $0.observer = body } }
  func build(_ change: Count.Change) {
    let (design, observer) = state.withLock { s in
      Count().change(&s.design, on: change)
      return (s.design, s.observer)
    }
    observer?(design)
  }
}

@inline(never) func measure(_ name: String, _ n: Int, _ body: (Int) -> Void) {
  if CommandLine.arguments.count > 1, !name.contains(CommandLine.arguments[1]) { return }
  body(n / 10)
  var best = Duration.seconds(1000)
  let a0 = allocation_count()
  for _ in 0..<7 {
    let d = ContinuousClock().measure { body(n) }
    best = min(best, d)
  }
  let a = Double(allocation_count() - a0) / Double(7 * n)
  print(name, Double(best.components.attoseconds) / 1e9 / Double(n), "ns", a, "allocations")
}
let seen = Atomic(0)
let store = MutexStore()
store.observe { seen.store($0.count, ordering: .relaxed) }
measure("mutex store", 200_000) { n in for i in 0..<n { store.build(.add(i)) } }
let bare = Lego(.init(), blueprint: Count())
measure("lego, no observer", 200_000) { n in for i in 0..<n { bare.build(.add(i)) } }
let lego = Lego(.init(), blueprint: Count())
let token = lego.onDesignChange { seen.store($0.count, ordering: .relaxed) }
measure("lego, one observer", 200_000) { n in for i in 0..<n { lego.build(.add(i | 1)) } }
final class Echo: Adaptor<Count> {
  override func connect(_ d: Count.Design, on c: Count.Change) -> AnyPublisher<Count.Change, Never> {
    c == .add(7) ? Just(.add(1)).eraseToAnyPublisher() : .empty
  }
}
let echo = Lego(.init(), blueprint: Count(), adaptors: [Echo()])
measure("lego, ready adaptor", 200_000) { n in for _ in 0..<n { echo.build(.add(7)) } }
let subject = PassthroughSubject<Int, Never>()
let t2 = subject.sink { seen.store($0, ordering: .relaxed) }
measure("subject one sink", 200_000) { n in for i in 0..<n { subject.send(i) } }
measure("future", 100_000) { n in for i in 0..<n {
  let f = Future<Int, Never> { $0(.success(i)) }
  let t = f.sink { seen.store($0, ordering: .relaxed) }
  withExtendedLifetime(t) {}
} }
withExtendedLifetime((token, t2)) {}

import CAllocationCounter
import CMalloc
import LegoKit
import Synchronization

// Peers in the same run, in turns; best of 15 samples beside medians, with allocations.
// An argument limits the run to the groups with an operation of such a name.

let seen = Atomic(0)
@Sendable func look(_ design: Count.Design) { seen.store(design.count, ordering: .relaxed) }

print("one build, one observer")
let bare = MutexStore { look($0) }
let lego = Lego(.init(), blueprint: Count())
let token = lego.onDesignChange { look($0) }
let quiet = Lego(.init(), blueprint: Count())
let builds = await measure(
  Operation("a bare Mutex store") { for i in 0..<$0 { bare.build(.add(i)) } },
  Operation("Lego.build, one observer") { for i in 0..<$0 { lego.build(.add(i | 1)) } },
  Operation("Lego.build, no observer") { for i in 0..<$0 { quiet.build(.add(i)) } },
  Operation("a bare inout call") { count in
    var design = Count.Design()
    for i in 0..<count {
      Count().change(&design, on: .add(i))
      seen.store(design.count, ordering: .relaxed)
    }
  })
compare(builds[1], to: builds[0], atMost: 2)
compare(allocations: builds[1], atMost: 0)

print("one value sent, one sink")
let closure = MutexSubject { seen.store($0, ordering: .relaxed) }
let subject = PassthroughSubject<Int, Never>()
let sink = subject.sink { seen.store($0, ordering: .relaxed) }
let sends = await measure(
  Operation("a closure behind a Mutex") { for i in 0..<$0 { closure.send(i) } },
  Operation("PassthroughSubject.send") { for i in 0..<$0 { subject.send(i) } })
compare(sends[1], to: sends[0], atMost: 2)

print("a future")
let futures = await measure(
  Operation("create, sink, resolve") { count in
    for i in 0..<count {
      var promise: Future<Int, Never>.Promise?
      let future = Future<Int, Never> { promise = $0 }
      let token = future.sink { seen.store($0, ordering: .relaxed) }
      promise?(.success(i))
      withExtendedLifetime(token) {}
    }
  })
compare(allocations: futures[0], atMost: 3)

print("a change, an adaptor that is ready, its follow-up")
let ready = Lego(.init(), blueprint: Count(), adaptors: [Ready()])
let resolved = Lego(.init(), blueprint: Count(), adaptors: [Resolved()])
let idle = Lego(.init(), blueprint: Count(), adaptors: [Adaptor()])
let answers = await measure(
  Operation("Lego.build, one observer") { for i in 0..<$0 { lego.build(.add(i | 1)) } },
  Operation("answered by Just") { for _ in 0..<$0 { ready.build(.ask) } },
  Operation("answered by a resolved Future") { for _ in 0..<$0 { resolved.build(.ask) } },
  Operation("not answered") { for i in 0..<$0 { idle.build(.add(i)) } })
compare(answers[1], to: answers[0], atMost: 12)

print("an async effect's round trip")
let running = Lego(.init(), blueprint: Count(), adaptors: [Running()])
let trips = await measure(
  Operation("a bare Task", count: 5_000) { count in
    for _ in 0..<count { await Task.detached { seen.store(1, ordering: .relaxed) }.value }
  },
  Operation("build(.ask).finished()", count: 5_000) { count in
    for _ in 0..<count { await running.build(.ask).finished() }
  })
compare(trips[1], to: trips[0], atMost: 4)

print("an async effect beside others that are under way")
for count in [0, 1_000, 10_000] {
  let crowded = Lego(.init(), blueprint: Count(), adaptors: [Crowded()])
  for number in 0..<count { crowded.build(.add(number)) }
  _ = await measure(
    Operation("\(count) under way, build(.ask).finished()", count: 2_000) { count in
      for _ in 0..<count { await crowded.build(.ask).finished() }
    }, rounds: 7)
}

print("an injected read")
struct Reader {
  @Contractor(\.dial) var dial: Dial
}
let reader = Reader()
let reads = await measure(
  Operation("a @TaskLocal") {
    for _ in 0..<$0 { seen.store(Local.dial.number, ordering: .relaxed) }
  },
  Operation("@Contractor, the default") {
    for _ in 0..<$0 { seen.store(reader.dial.number, ordering: .relaxed) }
  },
  Operation("Contractors().dial, the default") {
    for _ in 0..<$0 { seen.store(Contractors().dial.number, ordering: .relaxed) }
  })
compare(reads[1], to: reads[0], atMost: 2)
let overridden = await Local.$dial.withValue(Dial(number: 2)) {
  await withContractors {
    $0.dial = Dial(number: 2)
  } operation: {
    await measure(
      Operation("a @TaskLocal, bound") {
        for _ in 0..<$0 { seen.store(Local.dial.number, ordering: .relaxed) }
      },
      Operation("@Contractor, overridden") {
        for _ in 0..<$0 { seen.store(reader.dial.number, ordering: .relaxed) }
      })
  }
}
compare(overridden[1], to: overridden[0], atMost: 2)

print("a build of a part")
let whole = Lego(.init(), blueprint: Whole())
let wholeToken = whole.onDesignChange { look($0.part) }
let part = whole.scope(\.part, change: { Whole.Change.part($0) })
let parts = await measure(
  Operation("the parent's build") { for i in 0..<$0 { whole.build(.part(.add(i | 1))) } },
  Operation("the scope's build") { for i in 0..<$0 { part.build(.add(i | 1)) } })
compare(parts[1], to: parts[0], atMost: 1.5)

print("more observers")
for count in [1, 10, 1_000] {
  let store = Lego(.init(), blueprint: Count())
  let tokens = (0..<count).map { _ in store.onDesignChange { look($0) } }
  _ = await measure(
    Operation("\(count) observers", count: max(200, 100_000 / count)) {
      for i in 0..<$0 { store.build(.add(i | 1)) }
    }, rounds: 7)
  withExtendedLifetime(tokens) {}
}

print("larger designs, one observer")
for size in [1_024, 32_768, 1_048_576] {
  let store = Lego(.init(bytes: Array(repeating: 0, count: size)), blueprint: Sized())
  let token = store.onDesignChange { seen.store($0.count, ordering: .relaxed) }
  _ = await measure(
    Operation("\(size / 1024) KB, another part changes", count: 2_000) {
      for _ in 0..<$0 { store.build(.count) }
    },
    Operation("\(size / 1024) KB, the large part changes", count: 200) {
      for _ in 0..<$0 { store.build(.touch) }
    }, rounds: 7)
  withExtendedLifetime(token) {}
}

print("bytes retained after 1,000,000 changes")
func retained(_ name: String, _ body: () async -> Void) async {
  if CommandLine.arguments.count > 1 { return }
  await body()
  let before = cmalloc_allocated_bytes()
  await body()
  let after = cmalloc_allocated_bytes()
  print("  \(name.padded(to: 44)) \(after - before) bytes")
}
await retained("one observer") { for i in 0..<1_000_000 { lego.build(.add(i)) } }
await retained("an adaptor that is idle") { for i in 0..<1_000_000 { idle.build(.add(i)) } }
await retained("an adaptor that is ready") { for _ in 0..<1_000_000 { ready.build(.ask) } }
await retained("an adaptor with a resolved future") {
  for _ in 0..<1_000_000 { resolved.build(.ask) }
}
await retained("an adaptor with async effects (20,000)") {
  for _ in 0..<20_000 { await running.build(.ask).finished() }
}
withExtendedLifetime((token, sink, wholeToken)) {}

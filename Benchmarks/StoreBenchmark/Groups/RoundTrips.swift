import LegoKit

/// Measures the round trip of one async effect, without other work that could hide its cost.
///
/// Each effect takes the store's lock when it starts, when it sends, when its change is delivered,
/// and when it ends. The runtime adds a cancellable wait, and the wakeup of a second thread.
@concurrent func measureRoundTripsOffMain() async {
  Report.shared.begin(
    "an async effect's round trip, awaited off the main actor",
    "one task at a time, run by the thread of the awaiting task: no thread has to wake")
  let costs = await measureRoundTrips()
  compare("a bare Task, off the main actor", costs[1], to: costs[0], atMost: 4)
}

/// Measures the same on the main actor, where waking the main thread takes most of the time.
@MainActor func measureRoundTripsOnMain() async {
  Report.shared.begin(
    "an async effect's round trip, awaited on the main actor",
    "two threads wake each other; that costs more than all the rest and says little of the store")
  let costs = await measureRoundTrips()
  compare("a bare Task, on the main actor", costs[1], to: costs[0], atMost: 4)
}

nonisolated(nonsending) private func measureRoundTrips() async -> [Cost] {
  let running = Lego(
    .init(), blueprint: Count(),
    adaptors: [Answering(effect: { .run { send in send(.add(1)) } })])
  return await measure(
    Operation("a bare Task", count: 1_000) { count in
      for i in 0..<count { await Task { @concurrent in look(i) }.value }
    },
    Operation("build(.ask).finished()", count: 1_000) { count in
      for _ in 0..<count { await running.build(.ask).finished() }
    })
}

/// Measures many simultaneous async effects, which share the cost of waking threads.
@concurrent func measureManyEffects() async {
  Report.shared.begin(
    "1,000 async effects at once, off the main actor",
    "an effect each, from its build to its change; they end in any order")
  let running = Lego(
    .init(), blueprint: Count(),
    adaptors: [Answering(effect: { .run { send in send(.add(1)) } })])
  let costs = await measure(
    Operation("a bare Task each", count: 1_000) { count in
      let tasks = (0..<count).map { i in Task { @concurrent in look(i) } }
      for task in tasks { await task.value }
    },
    Operation("build(.ask) each, then finished()", count: 1_000) { count in
      let builds = (0..<count).map { _ in running.build(.ask) }
      for build in builds { await build.finished() }
    })
  compare("bare Tasks", costs[1], to: costs[0], atMost: 3)

  Report.shared.begin(
    "an async effect next to others that are running, off the main actor",
    "the effect has an id and a policy and sends nothing; the others each have an id and sleep")
  for count in [0, 1_000, 10_000] {
    let crowded = Lego(.init(), blueprint: Count(), adaptors: [Crowded()])
    if Report.shared.wants(["under way"]) { for i in 0..<count { crowded.build(.add(i)) } }
    _ = await measure(
      Operation("\(count) under way, build(.ask).finished()", count: 2_000) { count in
        for _ in 0..<count { await crowded.build(.ask).finished() }
      }, rounds: 7)
  }
}

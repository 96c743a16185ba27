import LegoKit
import Synchronization

/// Measures threads that build without a pause while an observer takes 20 µs for each change.
@concurrent func measureContention() async {
  let work = Work(lasting: .microseconds(20))
  Report.shared.begin(
    "threads that build without a pause, with an observer that takes 20 µs",
    "µs per call; \"cores granted\" is the longest call, less the time when its own thread was ready"
      + " but had no core; time that a thread it waited for had no core counts")
  for threads in [1, 2, 8] {
    let crew = Crew(threads: threads, calls: 24_000 / (threads + 2))
    let alone = "\(threads) × no store, 20 µs a call"
    let locked = "\(threads) × a bare Mutex held during the observer's call"
    let built = "\(threads) × Lego.build"
    guard Report.shared.wants([alone, locked, built]) else { continue }
    var latencies = [Latency(), Latency(), Latency()]
    for _ in 0..<5 {
      let count = Tally()
      latencies[0].add(
        await crew.run(told: { count.value }) { _ in
          work()
          count.add()
        })
      let design = Mutex(Count.Design())
      latencies[1].add(
        await crew.run(told: { count.value }) { number in
          design.withLock { design in
            Count().change(&design, on: .add(number | 1))
            work()
            count.add()
          }
        })
      let lego = Lego(.init(), blueprint: Count())
      let token = lego.onDesignChange { _ in
        work()
        count.add()
      }
      latencies[2].add(
        await crew.run(told: { count.value }) { number in lego.build(.add(number | 1)) })
      withExtendedLifetime(token) {}
    }
    for (name, latency) in zip([alone, locked, built], latencies) {
      Report.shared.add(.latency(latency, of: name))
    }
    Report.shared.add(
      .comparison(
        latencies[2].best(\.longestOwn) / 1_000,
        medians: latencies[2].median(\.longestOwn) / 1_000,
        unit: "ms", with: "the longest build of \(threads) threads", target: 1))
  }
}

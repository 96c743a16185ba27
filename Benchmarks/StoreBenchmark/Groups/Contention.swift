import LegoKit
import Synchronization

/// Threads that all build without a pause, beside an observer that takes its time.
@concurrent func measureContention() async {
  let work = Work(lasting: .microseconds(20))
  Report.shared.begin(
    "threads that build without a pause beside an observer of 20 µs",
    "µs a call; a thread that is off its core counts as waiting, which the rows without a store"
      + " show; more threads than cores wait for a core in any case")
  for threads in [1, 2, 8] {
    let crew = Crew(threads: threads, calls: 24_000 / (threads + 2))
    let alone = "\(threads) × no store, 20 µs a call"
    let locked = "\(threads) × a bare Mutex held while told"
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
        latencies[2].best(\.longest) / 1_000, medians: latencies[2].median(\.longest) / 1_000,
        unit: "ms", with: "the longest build of \(threads) threads", target: 1))
  }
}

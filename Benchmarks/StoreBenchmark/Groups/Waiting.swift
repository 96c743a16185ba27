import Dispatch
import LegoKit

/// Measures waits for builds whose changes are queued because an observer is slow.
@concurrent func measureWaiting() async {
  Report.shared.begin(
    "finished() while changes wait to be told, off the main actor",
    "one observer holds up the rest; from the build to the end of the wait, with a task each")
  func operation(_ count: Int) -> Operation {
    Operation("\(count) builds wait, each awaited", count: count) { await waitForAll(of: $0) }
  }
  let costs = await measure(operation(500), operation(8_000), rounds: 7)
  // A wait must not search the whole queue.
  compare("one of 500, one of 8,000", costs[1], to: costs[0], atMost: 2)
}

private func waitForAll(of count: Int) async {
  let lego = Lego(.init(), blueprint: Count(), backlog: .unlimited)
  let (entered, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let token = lego.onDesignChange { design in
    if design.count == 1 {
      entered.signal()
      released.wait()
    }
  }
  DispatchQueue(label: "builder").async { lego.build(.add(1)) }
  hold(entered)
  // An immediate task has called finished() when its initializer returns.
  let builds = (0..<count).map { _ in lego.build(.add(1)) }
  let waits = builds.map { build in Task.immediate { await build.finished() } }
  released.signal()
  for wait in waits { await wait.value }
  token.cancel()
}

/// Blocks this thread, which runs nothing but the measurement.
private func hold(_ semaphore: DispatchSemaphore) {
  semaphore.wait()
}

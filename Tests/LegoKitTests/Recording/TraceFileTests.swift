import Foundation
import LegoKit
import RaceRounds
import Synchronization
import Testing

@Suite struct `A trace file` {
  @Test func `may be traced to while its sink is called`() {
    let lines = Collected<String>()
    let tracer = Mutex<LegoTracer?>(nil)
    let trace = TraceFile(
      to: LogSink { line in
        lines.append(line)
        if line.contains(".outer") {
          // A sink may do what it likes: it is not called under a lock.
          tracer.withLock { $0 }?(.applied(number: 2, root: 2, change: ".inner"))
          tracer.withLock { $0 }?(.delivered(number: 2))
        }
      })
    tracer.withLock { $0 = trace.tracer }
    trace.tracer(.applied(number: 1, root: 1, change: ".outer"))
    trace.tracer(.delivered(number: 1))
    #expect(lines.values.count == 4)
    #expect(lines.values.last?.contains(".inner") == true)
  }

  @Test func `is whole when two threads trace to it`() async throws {
    let rounds = UInt64(raceRounds(2_000))
    let lines = Collected<String>()
    let trace = TraceFile(to: LogSink { lines.append($0) })
    await withTaskGroup { group in
      for thread in 0..<2 as Range<UInt64> {
        group.addTask {
          for round in 0..<rounds {
            let number = thread * rounds + round
            trace.tracer(.effectStarted(number: number, root: 1, name: nil))
            trace.tracer(.effectEnded(number: number, isCancelled: false))
          }
        }
      }
    }
    trace.finish()
    #expect(lines.values.first == "[")
    #expect(lines.values.last == "]")
    let file = Data(lines.values.joined(separator: "\n").utf8)
    let entries = try #require(JSONSerialization.jsonObject(with: file) as? [[String: Any]])
    #expect(entries.count == 1 + 4 * Int(rounds))
    // Each effect begins before it ends.
    var open: Set<String> = []
    for entry in entries.dropFirst() {
      let id = try #require(entry["id"] as? String)
      if entry["ph"] as? String == "b" {
        open.insert(id)
      } else {
        #expect(open.remove(id) != nil)
      }
    }
    #expect(open.isEmpty)
  }
}

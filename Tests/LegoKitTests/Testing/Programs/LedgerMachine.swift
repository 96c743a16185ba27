import LegoKit
import Synchronization

/// What of a program can be seen from outside.
struct LedgerSight: Equatable {
  /// What the tracer was told.
  var events: [LegoEvent] = []
  /// The changes, in order.
  var changes: [String] = []
  /// The designs that differ from the one before, in order.
  var designs: [Ledger.Design] = []
  /// What was reported.
  var problems: [String] = []
  /// The design and the number of running effects after each step.
  var steps: [String] = []
}

/// A store that a program is run on.
protocol Machine: Sendable {
  var isSettled: Bool { get }
  var effectCount: Int { get }
  var design: Ledger.Design { get }

  func build(_ change: Ledger.Change) -> Build
  func cancel(id: Int)
  func endFollows()
  func close() async
  /// Looks at what the last step has done, once all is quiet.
  func look() async
}

/// The tracer of a machine, which knows how many tasks its effects have.
final class Listener: Sendable {
  private struct State: Sendable {
    var events: [LegoEvent] = []
    var tasks: Set<UInt64> = []
  }

  private let state = Mutex(State())

  var events: [LegoEvent] { state.withLock { $0.events } }
  /// How many tasks the effects have, and how much was heard.
  var count: (tasks: Int, version: Int) { state.withLock { ($0.tasks.count, $0.events.count) } }

  var tracer: LegoTracer {
    LegoTracer { event in
      self.state.withLock { state in
        state.events.append(event)
        switch event {
        // An effect that is a publisher has no name.
        case .effectStarted(let number, _, let name) where name != nil: state.tasks.insert(number)
        case .effectEnded(let number, _): state.tasks.remove(number)
        default: break
        }
      }
    }
  }
}

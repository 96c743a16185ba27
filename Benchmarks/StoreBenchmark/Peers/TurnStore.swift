import Synchronization

/// The simplest store that notifies its observer in order, ignores changes without effect, and
/// allows the observer to be replaced.
///
/// It shows the minimum cost of these guarantees. Taking and releasing the lock are two atomic
/// exchanges. A third one ends the turn, because another thread may have built in the meantime. Two
/// more keep the list of observers alive, because another thread may replace it.
final class TurnStore: Sendable {
  private final class Observers: Sendable {
    let first: @Sendable (Count.Design) -> Void

    init(_ first: @escaping @Sendable (Count.Design) -> Void) {
      self.first = first
    }
  }

  private struct State: Sendable {
    var design = Count.Design()
    var observers: Observers
    var waiting: [Count.Design] = []
  }

  private let state: Mutex<State>
  private let turn = Atomic(0)

  init(_ observer: @escaping @Sendable (Count.Design) -> Void) {
    state = Mutex(State(observers: Observers(observer)))
  }

  func build(_ change: Count.Change) {
    let told = state.withLock { state -> (Observers, Count.Design, Count.Design)? in
      let before = state.design
      Count().change(&state.design, on: change)
      guard turn.load(ordering: .acquiring) == 0 else {
        turn.store(2, ordering: .releasing)
        state.waiting.append(state.design)
        return nil
      }
      turn.store(1, ordering: .relaxed)
      return (state.observers, before, state.design)
    }
    guard let (observers, before, after) = told else { return }
    if before != after { observers.first(after) }
    let isOver = turn.compareExchange(
      expected: 1, desired: 0, ordering: .acquiringAndReleasing
    ).exchanged
    if !isOver { tellWaiting(observers) }
  }

  private func tellWaiting(_ observers: Observers) {
    while true {
      let waiting = state.withLock { state in
        defer { state.waiting = [] }
        if state.waiting.isEmpty { turn.store(0, ordering: .releasing) }
        return state.waiting
      }
      if waiting.isEmpty { return }
      for design in waiting { observers.first(design) }
    }
  }
}

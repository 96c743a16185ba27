import Synchronization

/// The least that a store can be which tells changes in order, lets observers come and go, and tells
/// only what differs.
///
/// It shows what these promises cost, before anything of a store's own: beside the lock, whose
/// taking and giving are two atomic exchanges, a third ends the turn, since another thread may have
/// built meanwhile, and a fourth and a fifth keep the list of observers alive, since another thread
/// may replace it.
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

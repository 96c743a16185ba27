import LegoPublishers
import Synchronization

/// A subscriber that counts what it receives, and notes what a publisher must never do.
final class Witness<Input: Sendable>: Subscriber {
  typealias Failure = Never

  private struct State: Sendable {
    var subscription: (any Subscription)?
    var count = 0
    var isFinished = false
    var asked = Subscribers.Demand.none
    var faults: Set<String> = []
  }

  private let state = Mutex(State())
  private let isBusy = Atomic(false)
  private let check: @Sendable (Input) -> String?

  /// Creates a witness; the closure names what is wrong with a value.
  init(_ check: @escaping @Sendable (Input) -> String? = { _ in nil }) {
    self.check = check
  }

  var count: Int { state.withLock { $0.count } }
  var isFinished: Bool { state.withLock { $0.isFinished } }
  /// What went wrong.
  var faults: Set<String> { state.withLock { $0.faults } }

  func request(_ demand: Subscribers.Demand) {
    let subscription = state.withLock { state in
      state.asked += demand
      return state.subscription
    }
    subscription?.request(demand)
  }

  func cancel() { state.withLock { $0.subscription }?.cancel() }

  func receive(subscription: any Subscription) {
    state.withLock { $0.subscription = subscription }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    alone {
      let fault = check(input)
      state.withLock { state in
        state.count += 1
        if let fault { state.faults.insert(fault) }
        if state.isFinished { state.faults.insert("a value after the end") }
        if Subscribers.Demand.max(state.count) > state.asked {
          state.faults.insert("a value that nobody asked for")
        }
      }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    alone {
      state.withLock { state in
        if state.isFinished { state.faults.insert("a second end") }
        state.isFinished = true
      }
    }
  }

  /// Notes a fault that it cannot see itself.
  func note(_ fault: String) { state.withLock { _ = $0.faults.insert(fault) } }

  private func alone(_ body: () -> Void) {
    if isBusy.exchange(true, ordering: .acquiringAndReleasing) {
      note("two calls at once")
    }
    body()
    isBusy.store(false, ordering: .releasing)
  }
}

/// Numbers that must come in their order.
final class Ascending: Sendable {
  private let last = Atomic(Int.min)

  /// Names the fault when a number is not greater than the one before.
  func check(_ number: Int) -> String? {
    last.exchange(number, ordering: .relaxed) < number ? nil : "out of order"
  }

  /// Names the fault when a number is less than the one before.
  func checkRepeating(_ number: Int) -> String? {
    last.exchange(number, ordering: .relaxed) <= number ? nil : "out of date"
  }
}

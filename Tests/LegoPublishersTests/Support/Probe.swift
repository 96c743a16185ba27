import LegoPublishers
import Synchronization

/// A failure.
struct Failed: Error, Equatable {}

/// A subscriber that writes down what it receives.
final class Probe<Input: Sendable, Failure: Error>: Subscriber, Cancellable {
  private struct State: Sendable {
    var subscription: (any Subscription)?
    var events: [String] = []
    var subscriptions = 0
    var cancelsAtOnce = false
  }

  private let state = Mutex(State())
  private let first: Subscribers.Demand
  private let onValue: @Sendable (Probe, Input) -> Subscribers.Demand

  init(
    demand: Subscribers.Demand,
    _ onValue: @escaping @Sendable (Probe, Input) -> Subscribers.Demand = { _, _ in .none }
  ) {
    first = demand
    self.onValue = onValue
  }

  var events: [String] { state.withLock { $0.events } }

  /// The values without the end.
  var values: [String] { events.filter { $0 != "finished" && $0 != "failure" } }

  /// How many subscriptions came.
  var subscriptions: Int { state.withLock { $0.subscriptions } }

  /// Whether a subscription is cancelled as soon as it comes, before anything is asked for.
  var cancelsAtOnce: Bool {
    get { state.withLock { $0.cancelsAtOnce } }
    set { state.withLock { $0.cancelsAtOnce = newValue } }
  }

  func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.subscription }?.request(demand)
  }

  func cancel() { state.withLock { $0.subscription }?.cancel() }

  func receive(subscription: any Subscription) {
    state.withLock { state in
      state.subscription = subscription
      state.subscriptions += 1
    }
    if cancelsAtOnce { subscription.cancel() }
    if first > .none { subscription.request(first) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    state.withLock { $0.events.append("\(input)") }
    return onValue(self, input)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    state.withLock { state in
      switch completion {
      case .finished: state.events.append("finished")
      case .failure: state.events.append("failure")
      }
    }
  }
}

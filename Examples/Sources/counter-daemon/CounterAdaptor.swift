import LegoKit

/// Ticks for as long as the store is there.
final class CounterAdaptor: Adaptor<CounterBlueprint> {
  private let interval: Duration

  /// Creates an adaptor that ticks after each interval.
  init(every interval: Duration) { self.interval = interval }

  override func effect(
    _ design: CounterBlueprint.Design, on change: CounterBlueprint.Change
  ) -> Effect<CounterBlueprint.Change> {
    guard change == .begin else { return .none }
    return .run { [interval] send in
      while !Task.isCancelled {
        // A sleep that is cut short belongs to a store that ends.
        guard (try? await Contractors().clock.sleep(for: interval)) != nil else { return }
        send(.tick)
      }
    }
  }
}

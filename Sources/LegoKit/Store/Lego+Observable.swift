public import Observation

// Reading `design` inside `Observations` or `withObservationTracking` is tracked.
extension Lego: Observable {}

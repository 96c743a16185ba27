public import Observation

// Reading `design` inside `Observations` or `withObservationTracking` is tracked. As with every
// observable object that other threads change, a change that comes between the read and its
// registration goes unnoticed until the next one; `designs` misses none.
extension Lego: Observable {}

import Synchronization

/// What an observer does in every measurement that does not say otherwise: one relaxed store.
let seen = Atomic(0)

@Sendable func look(_ design: Count.Design) { look(design.count) }

@Sendable func look(_ value: Int) { seen.store(value, ordering: .relaxed) }

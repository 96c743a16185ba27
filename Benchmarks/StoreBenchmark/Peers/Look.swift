import Synchronization

/// The target of the relaxed store that observers perform unless a measurement says otherwise.
let seen = Atomic(0)

@Sendable func look(_ design: Count.Design) { look(design.count) }

@Sendable func look(_ value: Int) { seen.store(value, ordering: .relaxed) }

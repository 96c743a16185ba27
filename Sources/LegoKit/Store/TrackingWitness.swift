internal import Observation
internal import Synchronization

/// Part of the key path by which a store tells `Observation` of its design, to learn whether
/// anybody tracks it.
///
/// `Observation` does not say whether a read is tracked. It hashes the key path of a property that
/// is read where reads are tracked, and nowhere else. So a plain read is known to be one, and the
/// changes after it need tell nobody: without this, each would cost a task and a notification.
/// Where `Observation` does not hash, ``isHashed`` finds out, and every read counts as tracked.
final class TrackingWitness: Hashable, Sendable {
  private let hashes = Atomic(0)

  /// How often it was hashed.
  var count: Int { hashes.load(ordering: .relaxed) }

  static func == (left: TrackingWitness, right: TrackingWitness) -> Bool { left === right }

  func hash(into hasher: inout Hasher) {
    hashes.wrappingAdd(1, ordering: .relaxed)
    hasher.combine(ObjectIdentifier(self))
  }

  /// Whether ``isHashed`` has been found to be true.
  static var isKnownToBeHashed: Bool { finding.load(ordering: .relaxed) }

  private static let finding = Atomic(false)

  /// Whether `Observation` hashes the key path of what is read where reads are tracked.
  static let isHashed: Bool = {
    let probe = Probe()
    let witness = TrackingWitness()
    withObservationTracking {
      probe.registrar.access(probe, keyPath: \Probe[witness])
    } onChange: {
    }
    let isHashed = witness.count > 0
    finding.store(isHashed, ordering: .relaxed)
    return isHashed
  }()

  private final class Probe: Observable {
    let registrar = ObservationRegistrar()
    subscript(witness: TrackingWitness) -> Int { witness.count }
  }
}

internal import Synchronization

/// Part of the key path by which a store tells `Observation` of its design, to learn whether
/// anybody tracks it.
///
/// `Observation` hashes the key path of a property that is read where reads are tracked, and
/// nowhere else. A plain read is then known to be one, and the changes after it need tell nobody.
final class TrackingWitness: Hashable, Sendable {
  private let hashes = Atomic(0)

  /// How often it was hashed.
  var count: Int { hashes.load(ordering: .relaxed) }

  static func == (left: TrackingWitness, right: TrackingWitness) -> Bool { left === right }

  func hash(into hasher: inout Hasher) {
    hashes.wrappingAdd(1, ordering: .relaxed)
    hasher.combine(ObjectIdentifier(self))
  }
}

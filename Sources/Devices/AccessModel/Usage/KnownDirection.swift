/// The direction of a holder of a virtual camera, as learned from earlier observations.
struct KnownDirection: Hashable, Sendable {
  var direction: HoldDirection
  /// A Boolean value that indicates whether the direction is certain, not only likely.
  var isProven: Bool

  init(_ direction: HoldDirection, isProven: Bool) {
    self.direction = direction
    self.isProven = isProven
  }
}

/// What a holder of a virtual camera was seen to do at an earlier look.
struct KnownDirection: Hashable, Sendable {
  var direction: HoldDirection
  /// Whether that was sure, and not only likely.
  var isProven: Bool

  init(_ direction: HoldDirection, isProven: Bool) {
    self.direction = direction
    self.isProven = isProven
  }
}

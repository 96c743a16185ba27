/// What a feature is made of.
struct FeatureContent<B: Blueprint>: Sendable {
  let own: B
  var parts: [Feature<B>.PartRules] = []
  /// What a change does after the blueprint has applied it.
  var afterwards: [@Sendable (inout B.Design, B.Change) -> Void] = []
  var makeAdaptors: @Sendable () -> sending [Adaptor<B>]

  /// Whether the blueprint's work is all that changes do.
  var isPlain: Bool { parts.isEmpty && afterwards.isEmpty }

  /// Applies a change to the parts it belongs to, and then to the whole.
  ///
  /// - Returns: Whether it was applied; not, when it is one of parts that are not there.
  func apply(_ change: B.Change, to design: inout B.Design) -> Bool {
    var isApplied = false
    var isAbsent = false
    for part in parts {
      switch part(&design, change) {
      case .other: continue
      case .applied: isApplied = true
      case .absent: isAbsent = true
      }
    }
    if isAbsent, !isApplied { return false }
    own.change(&design, on: change)
    for step in afterwards { step(&design, change) }
    return true
  }
}

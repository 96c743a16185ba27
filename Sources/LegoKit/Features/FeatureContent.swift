/// What a feature is made of.
@usableFromInline struct FeatureContent<B: Blueprint>: Sendable {
  @usableFromInline let own: B
  @usableFromInline var parts: [Feature<B>.PartRules] = []
  /// What a change does after the blueprint has applied it.
  @usableFromInline var afterwards: [@Sendable (inout B.Design, B.Change) -> Void] = []
  @usableFromInline var makeAdaptors: @Sendable () -> sending [Adaptor<B>]
  /// Applies a change to the parts it belongs to, and then to the whole.
  ///
  /// It is made where the feature is put together, and so compiled for its types.
  @usableFromInline var rules: Rules<B>

  @inlinable init(
    own: B, makeAdaptors: @escaping @Sendable () -> sending [Adaptor<B>]
  ) {
    self.own = own
    self.makeAdaptors = makeAdaptors
    rules = { design, change in
      own.change(&design, on: change)
      return true
    }
  }

  /// Whether the blueprint's work is all that changes do.
  var isPlain: Bool { parts.isEmpty && afterwards.isEmpty }

  /// Makes the rules anew, after there are more parts or steps.
  @inlinable mutating func updateRules() {
    rules = { [own, parts, afterwards] design, change in
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
}

/// A blueprint and the adaptors that go with it, ready to be made a part of a bigger one.
///
/// ```swift
/// let app = Feature(AppBlueprint())
///   .part(\.permissions, .case(AppChange.permission, \.permission), permissions)
///   .each(\.rooms, .case(AppChange.room, \.room), room)
///   .optional(\.sheet, .case(AppChange.sheet, \.sheet), sheet)
/// let lego = Lego(.init(), feature: app)
/// ```
///
/// A change of a part is applied by the part's blueprint first, and then by the blueprint around
/// it, which finds the part as the change left it, and may close it. When that blueprint takes the
/// part away, the effects of the part end in the same step. A change of a part that is not there
/// is reported to the ``Contractors/problemSink`` and ignored as a whole.
public struct Feature<B: Blueprint>: Sendable {
  typealias PartRules = @Sendable (inout B.Design, B.Change) -> PartOutcome

  package let own: B
  private(set) var parts: [PartRules] = []
  package private(set) var makeAdaptors: @Sendable () -> sending [Adaptor<B>]

  /// Creates a feature that has no parts yet.
  ///
  /// - Parameters:
  ///   - blueprint: What changes do to the design.
  ///   - adaptors: What happens beside the changes; each store makes its own by this expression.
  public init(
    _ blueprint: B,
    adaptors: @autoclosure @escaping @Sendable () -> sending [Adaptor<B>] = []
  ) {
    own = blueprint
    makeAdaptors = adaptors
  }

  /// The blueprint with those of all parts, for what needs no effects, such as a ``Replay``.
  public var blueprint: FeatureBlueprint<B> { FeatureBlueprint(feature: self) }

  /// Adds parts of a kind.
  func adding<Part: Blueprint, Key>(
    _ feature: Feature<Part>, _ joint: Joint<B, Part, Key>, _ rules: @escaping PartRules
  ) -> Feature {
    var whole = self
    whole.parts.append(rules)
    whole.makeAdaptors = { [makeAdaptors, makeParts = feature.makeAdaptors] in
      // The parts answer first, as they change first.
      var adaptors: [Adaptor<B>] = []
      for adaptor in makeParts() { adaptors.append(JoinedAdaptor(adaptor, joint)) }
      return adaptors + makeAdaptors()
    }
    return whole
  }

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
    return true
  }

  /// Answers what became of a change in a part.
  func outcome(of change: B.Change, in design: inout B.Design) -> PartOutcome {
    apply(change, to: &design) ? .applied : .absent
  }
}

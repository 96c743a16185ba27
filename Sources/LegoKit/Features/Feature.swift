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
  @usableFromInline typealias PartRules = @Sendable (inout B.Design, B.Change) -> PartOutcome

  /// What it is made of.
  @usableFromInline enum Form: Sendable {
    case made(FeatureContent<B>)
    case deferred(DeferredFeature<B>)
  }

  @usableFromInline let form: Form

  /// Creates a feature that has no parts yet.
  ///
  /// - Parameters:
  ///   - blueprint: What changes do to the design.
  ///   - adaptors: What happens beside the changes; each store makes its own by this expression.
  @inlinable public init(
    _ blueprint: B,
    adaptors: @autoclosure @escaping @Sendable () -> sending [Adaptor<B>] = []
  ) {
    form = .made(FeatureContent(own: blueprint, makeAdaptors: adaptors))
  }

  @inlinable init(_ form: Form) {
    self.form = form
  }

  /// A feature that is made when it is first needed, for one that is a part of itself.
  ///
  /// ```swift
  /// static var folder: Feature<Folder> {
  ///   Feature(Folder()).stack(\.path, .case(Folder.Change.path, \.path), .deferred { folder })
  /// }
  /// ```
  ///
  /// A store with such a part keeps the design before each change, as it does for observers.
  ///
  /// - Parameter make: Makes the feature; it is called when the first change or effect of the part
  ///   comes, at most a few times.
  /// - Returns: The feature.
  public static func deferred(_ make: @escaping @Sendable () -> Feature) -> Feature {
    Feature(.deferred(DeferredFeature(make)))
  }

  /// What it is made of.
  @inlinable var content: FeatureContent<B> {
    switch form {
    case .made(let content): content
    case .deferred(let feature): feature.content
    }
  }

  package var own: B { content.own }

  @inlinable package var makeAdaptors: @Sendable () -> sending [Adaptor<B>] {
    switch form {
    case .made(let content): content.makeAdaptors
    case .deferred(let feature): { [DeferredAdaptor(feature)] }
    }
  }

  /// The blueprint with those of all parts, for what needs no effects, such as a ``Replay``.
  public var blueprint: FeatureBlueprint<B> { FeatureBlueprint(feature: self) }

  /// Adds parts of a kind.
  @inlinable func adding<Part: Blueprint, Key>(
    _ feature: Feature<Part>, _ joint: Joint<B, Part, Key>, _ rules: @escaping PartRules
  ) -> Feature {
    var whole = content
    whole.parts.append(rules)
    whole.updateRules()
    whole.makeAdaptors = { [makeAdaptors, makeParts = feature.makeAdaptors] in
      // The parts answer first, as they change first.
      var adaptors: [Adaptor<B>] = []
      for adaptor in makeParts() { adaptors.append(joint.join(adaptor)) }
      return adaptors + makeAdaptors()
    }
    return Feature(.made(whole))
  }

  /// Adds what a change does after the blueprint has applied it.
  @inlinable func addingAfterwards(_ step: @escaping @Sendable (inout B.Design, B.Change) -> Void)
    -> Feature
  {
    var whole = content
    whole.afterwards.append(step)
    whole.updateRules()
    return Feature(.made(whole))
  }

  /// What answers what became of a change in a part.
  @inlinable var outcome: @Sendable (inout B.Design, B.Change) -> PartOutcome {
    switch form {
    case .made(let content):
      { [rules = content.rules] in rules(&$0, $1) ? .applied : .absent }
    case .deferred(let feature):
      { feature.content.rules(&$0, $1) ? .applied : .absent }
    }
  }
}

/// A blueprint and its adaptors, ready to become a part of a larger feature.
///
/// ```swift
/// let app = Feature(AppBlueprint())
///   .part(\.permissions, .case(AppChange.permission), permissions)
///   .each(\.rooms, .case(AppChange.room), room)
///   .optional(\.sheet, .case(AppChange.sheet), sheet)
/// let lego = Lego(.init(), feature: app)
/// ```
///
/// A change of a part is applied by the part's blueprint first, and then by the blueprint around
/// it, which sees the part after the change and may remove it. When that blueprint removes the
/// part, the effects of the part end in the same step. A change of a part that does not exist is
/// reported to the ``Contractors/problemSink`` and ignored as a whole.
public struct Feature<B: Blueprint>: Sendable {
  /// The result of a change for the parts of one kind.
  enum PartResult: Sendable {
    /// The change is not meant for them.
    case other
    case applied
    /// The change is meant for a part that does not exist.
    case missing
  }

  typealias PartRules = @Sendable (inout B.Design, B.Change) -> PartResult

  /// The content of a feature.
  struct Content: Sendable {
    let own: B
    var parts: [PartRules] = []
    /// Steps that follow after the blueprint has applied a change.
    var laterSteps: [@Sendable (inout B.Design, B.Change) -> Void] = []
    var makeAdaptors: @Sendable () -> sending [Adaptor<B>]

    /// Applies a change to the parts that it is meant for, and then to the whole.
    func apply(_ change: B.Change, to design: inout B.Design) -> Bool {
      var isApplied = false
      var isMissing = false
      for part in parts {
        switch part(&design, change) {
        case .other: continue
        case .applied: isApplied = true
        case .missing: isMissing = true
        }
      }
      if isMissing, !isApplied { return false }
      own.change(&design, on: change)
      for step in laterSteps { step(&design, change) }
      return true
    }
  }

  private enum Form: Sendable {
    case complete(Content)
    case deferred(DeferredFeature<B>)
  }

  private let form: Form

  /// Creates a feature without parts.
  ///
  /// - Parameters:
  ///   - blueprint: The rules for turning one design into the next.
  ///   - adaptors: The side effects of changes. Each store evaluates this expression once.
  public init(
    _ blueprint: B,
    adaptors: @autoclosure @escaping @Sendable () -> sending [Adaptor<B>] = []
  ) {
    form = .complete(Content(own: blueprint, makeAdaptors: adaptors))
  }

  private init(_ form: Form) {
    self.form = form
  }

  /// A feature that is created when it is first needed, for a feature that contains itself.
  ///
  /// ```swift
  /// static var folder: Feature<Folder> {
  ///   Feature(Folder()).stack(\.path, .case(Folder.Change.path), .deferred { folder })
  /// }
  /// ```
  ///
  /// A store with such a part keeps the design before each change, as it does for observers.
  ///
  /// - Parameter make: Creates the feature. It is called for the first change or effect of the
  ///   part, at most a few times.
  /// - Returns: The feature.
  public static func deferred(_ make: @escaping @Sendable () -> Feature) -> Feature {
    Feature(.deferred(DeferredFeature(make)))
  }

  /// The blueprint of the feature and all its parts, for uses without effects, such as a
  /// ``Replay``.
  public var blueprint: FeatureBlueprint<B> { FeatureBlueprint(feature: self) }

  var content: Content {
    switch form {
    case .complete(let content): content
    case .deferred(let feature): feature.content
    }
  }

  /// Applies changes in a store.
  package var rules: Rules<B> {
    switch form {
    case .complete(let content): { content.apply($1, to: &$0) }
    case .deferred(let feature): { feature.content.apply($1, to: &$0) }
    }
  }

  package var makeAdaptors: @Sendable () -> sending [Adaptor<B>] {
    switch form {
    case .complete(let content): content.makeAdaptors
    case .deferred(let feature): { [DeferredAdaptor(feature)] }
    }
  }

  /// Adds the parts of one kind.
  func adding<Part: Blueprint, Key>(
    _ feature: Feature<Part>, _ attachment: PartAttachment<B, Part, Key>,
    _ rules:
      @escaping @Sendable (
        inout B.Design, B.Change, (inout Part.Design, Part.Change) -> PartResult
      ) -> PartResult
  ) -> Feature {
    var whole = content
    let partRules = feature.rules
    whole.parts.append { design, change in
      rules(&design, change) { partRules(&$0, $1) ? .applied : .missing }
    }
    whole.makeAdaptors = { [makeAdaptors, makeParts = feature.makeAdaptors] in
      // Parts answer before the whole, as they change before it.
      var adaptors: [Adaptor<B>] = []
      for adaptor in makeParts() { adaptors.append(PartAdaptor(adaptor, attachment)) }
      return adaptors + makeAdaptors()
    }
    return Feature(.complete(whole))
  }

  /// Adds a step that follows after the blueprint has applied a change.
  func addingLaterStep(
    _ step: @escaping @Sendable (inout B.Design, B.Change) -> Void
  ) -> Feature {
    var whole = content
    whole.laterSteps.append(step)
    return Feature(.complete(whole))
  }
}

/// The blueprint of a feature and all its parts, without their effects.
public struct FeatureBlueprint<B: Blueprint>: Blueprint {
  /// The design of the feature.
  public typealias Design = B.Design
  /// A change of the feature.
  public typealias Change = B.Change

  let feature: Feature<B>

  /// Applies a change.
  ///
  /// A change of a part that does not exist does not change the design.
  public func change(_ design: inout B.Design, on change: B.Change) {
    _ = feature.content.apply(change, to: &design)
  }
}

extension Lego {
  /// Creates a store of a feature, with its own adaptors.
  ///
  /// The other parameters have the same meaning as for a blueprint.
  public convenience init(
    _ design: B.Design, feature: Feature<B>, enableLogs: Bool = false, logSink: LogSink? = nil,
    tracer: LegoTracer? = nil, runawayLimit: Int = 2_000_000, backlog: Backlog = Backlog()
  ) {
    let adaptors = feature.makeAdaptors()
    let design = Self.opening(design, by: adaptors)
    self.init(
      prepared: design, rules: feature.rules, adaptors,
      log: enableLogs ? logSink ?? Contractors().logSink : nil, tracer: tracer,
      runawayLimit: runawayLimit, backlog: backlog)
  }
}

/// A blueprint and its adaptors, which can be plugged into a larger feature.
///
/// ```swift
/// let app = Feature(AppBlueprint())
///   .part(\.permissions, .case(AppChange.permission), permissions)
///   .each(\.rooms, .case(AppChange.room), room)
///   .optional(\.sheet, .case(AppChange.sheet), sheet)
/// let lego = Lego(.init(), feature: app)
/// ```
///
/// When a part receives a change, the part's blueprint applies it first, and the enclosing
/// blueprint applies it second. The enclosing blueprint sees the result and may remove the part, in
/// which case the effects of the part end in the same step.
///
/// If a change is meant only for parts that do not exist, no blueprint applies it, and the store
/// reports it to the ``Contractors/problemSink``.
public struct Feature<B: Blueprint>: Sendable {
  /// The result of offering a change to the parts of one kind.
  enum PartResult: Sendable {
    /// The change is not meant for these parts.
    case other
    case applied
    /// The change is meant for a part that does not exist.
    case missing
  }

  typealias PartRules = @Sendable (inout B.Design, B.Change) -> PartResult

  /// The blueprint, parts and adaptors of a feature.
  struct Content: Sendable {
    let own: B
    var parts: [PartRules] = []
    /// Steps that run after the blueprint has applied a change.
    var laterSteps: [@Sendable (inout B.Design, B.Change) -> Void] = []
    var makeAdaptors: @Sendable () -> sending [Adaptor<B>]

    /// Applies a change with the rules of the parts, then with the blueprint, and then with the
    /// later steps.
    ///
    /// - Returns: `false` if the change is meant only for parts that do not exist, in which case
    ///   the design does not change.
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
  ///   - blueprint: The blueprint that applies changes to the design.
  ///   - adaptors: The adaptors, which perform the side effects of changes. The expression is
  ///     evaluated separately for each store.
  public init(
    _ blueprint: B,
    adaptors: @autoclosure @escaping @Sendable () -> sending [Adaptor<B>] = []
  ) {
    form = .complete(Content(own: blueprint, makeAdaptors: adaptors))
  }

  private init(_ form: Form) {
    self.form = form
  }

  /// Returns a feature that is created on first use, so that a feature can contain itself.
  ///
  /// ```swift
  /// static var folder: Feature<Folder> {
  ///   Feature(Folder()).stack(\.path, .case(Folder.Change.path), .deferred { folder })
  /// }
  /// ```
  ///
  /// A store that contains a deferred feature keeps the design before each change, just as a store
  /// with observers does.
  ///
  /// - Parameter make: Creates the feature. If several threads need the feature at the same time,
  ///   the closure may be called more than once.
  /// - Returns: The deferred feature.
  public static func deferred(_ make: @escaping @Sendable () -> Feature) -> Feature {
    Feature(.deferred(DeferredFeature(make)))
  }

  /// The combined blueprint of the feature and all its parts.
  ///
  /// Use it where no effects should run, such as in a ``Replay``.
  public var blueprint: FeatureBlueprint<B> { FeatureBlueprint(feature: self) }

  var content: Content {
    switch form {
    case .complete(let content): content
    case .deferred(let feature): feature.content
    }
  }

  /// The rules by which a store applies changes.
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

  /// Returns this feature with the parts of one kind added.
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
      // Parts change before the whole, so their adaptors also run first.
      var adaptors: [Adaptor<B>] = []
      for adaptor in makeParts() { adaptors.append(PartAdaptor(adaptor, attachment)) }
      return adaptors + makeAdaptors()
    }
    return Feature(.complete(whole))
  }

  /// Returns this feature with an added step that runs after the blueprint has applied a change.
  func addingLaterStep(
    _ step: @escaping @Sendable (inout B.Design, B.Change) -> Void
  ) -> Feature {
    var whole = content
    whole.laterSteps.append(step)
    return Feature(.complete(whole))
  }
}

/// The combined blueprint of a feature and all its parts, without their adaptors.
public struct FeatureBlueprint<B: Blueprint>: Blueprint {
  /// The design of the feature.
  public typealias Design = B.Design
  /// A change to the feature.
  public typealias Change = B.Change

  let feature: Feature<B>

  /// Applies a change.
  ///
  /// If the change is meant only for parts that do not exist, the design does not change.
  public func change(_ design: inout B.Design, on change: B.Change) {
    _ = feature.content.apply(change, to: &design)
  }
}

extension Lego {
  /// Creates a store for a feature.
  ///
  /// The store creates its own adaptors. The other parameters are the same as for the initializer
  /// that takes a blueprint.
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

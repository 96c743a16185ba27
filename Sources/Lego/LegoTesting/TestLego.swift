public import LegoKit
internal import Synchronization
public import Testing

/// A store under test: the test accounts for each change that the store applies.
///
/// Changes that effects send are applied as in any store, in the same order and at once. The store
/// under test keeps each change with the designs before and after it. The test takes the next one
/// with ``receive(_:_:sourceLocation:)``, and states how it changed the design.
///
/// By default a test must account for every change. An unexpected one fails the test, and the
/// message contains the difference of the designs.
///
/// ```swift
/// let lego = TestLego(.init(), blueprint: ListBlueprint(), adaptors: [ListAdaptor()])
/// lego.build(.load) { $0.isLoading = true }
/// await lego.receive(.loaded(["milk"])) {
///   $0.isLoading = false
///   $0.items = ["milk"]
/// }
/// await lego.finish()
/// ```
public final class TestLego<B: Blueprint>: Sendable {
  /// The changes that the test must account for.
  public let exhaustivity: Exhaustivity
  /// The longest time to wait for a change or the end of an effect.
  public let timeout: Duration
  /// The clock that the store's effects wait on, unless the test overrides it.
  public let clock: TestClock
  let lego: Lego<B>
  let log: StepLog<B>
  let origin: SourceLocation
  /// The effects that were reported as running.
  let reported = ReportedEffects()
  let hasEndedFollows = Atomic(false)

  /// Creates a store under test.
  ///
  /// - Parameters:
  ///   - design: The first design.
  ///   - blueprint: The rules for turning one design into the next.
  ///   - adaptors: The side effects of changes.
  ///   - exhaustivity: The changes that the test must account for.
  ///   - clock: The clock that the store's effects wait on.
  ///   - timeout: The longest time to wait. A test that passes never waits that long. If nothing
  ///     is under way that could send a change, the wait ends sooner.
  ///   - tracer: A hook that receives the store's events.
  ///   - limit: The number of changes that may wait to be received. Beyond it, the build that
  ///     caused the last of them is cancelled, and the test fails.
  ///   - sourceLocation: The location of failures that are found when the store is freed.
  public convenience init(
    _ design: B.Design, blueprint: B, adaptors: sending [Adaptor<B>] = [],
    exhaustivity: Exhaustivity = .full, clock: TestClock = TestClock(),
    timeout: Duration = .seconds(60), tracer: LegoTracer? = nil, limit: Int = 100_000,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.init(
      design, adaptors, Feature(blueprint).rules, exhaustivity, clock, timeout, tracer, limit,
      sourceLocation)
  }

  /// Creates a store under test of a feature.
  ///
  /// - Parameters:
  ///   - design: The first design.
  ///   - feature: The rules for turning one design into the next, and the side effects.
  ///   - exhaustivity: The changes that the test must account for.
  ///   - clock: The clock that the store's effects wait on.
  ///   - timeout: The longest time to wait.
  ///   - tracer: A hook that receives the store's events.
  ///   - limit: The number of changes that may wait to be received.
  ///   - sourceLocation: The location of failures that are found when the store is freed.
  public convenience init(
    _ design: B.Design, feature: Feature<B>, exhaustivity: Exhaustivity = .full,
    clock: TestClock = TestClock(), timeout: Duration = .seconds(60), tracer: LegoTracer? = nil,
    limit: Int = 100_000, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.init(
      design, feature.makeAdaptors(), feature.rules, exhaustivity, clock, timeout, tracer, limit,
      sourceLocation)
  }

  private init(
    _ design: B.Design, _ adaptors: sending [Adaptor<B>], _ rules: @escaping Rules<B>,
    _ exhaustivity: Exhaustivity, _ clock: TestClock, _ timeout: Duration, _ tracer: LegoTracer?,
    _ limit: Int, _ sourceLocation: SourceLocation
  ) {
    self.exhaustivity = exhaustivity
    self.timeout = timeout
    self.clock = clock
    origin = sourceLocation
    let design = Lego.opening(design, by: adaptors)
    let log = StepLog<B>(design, limit: limit)
    self.log = log
    let hook = ChangeHook<B>(note: log.note) { cancel in
      guard let excess = log.wake() else { return }
      cancel(excess.root)
      Issue.record(Comment(rawValue: log.text(of: excess)), sourceLocation: sourceLocation)
    }
    lego = Lego(
      prepared: design, rules: rules, adaptors, log: nil, tracer: tracer, hook: hook,
      clock: clock)
  }

  deinit {
    reportRest(at: origin)
  }

  /// The design after the newest change that the test has built, received or skipped.
  ///
  /// A change of an effect appears in it when the test receives that change. A test therefore reads
  /// the same design however fast the effects are.
  public var design: B.Design { log.design }

  /// The changes that effects have sent and the test has not received, in the store's order.
  public var unreceived: [B.Change] { log.unreceived }

  /// The number of running effects.
  public var effectCount: Int { lego.effectCount }

  /// Closes the store, as `Lego.close()` does.
  ///
  /// The test must receive the changes that adaptors send during the call.
  public func close() async {
    await lego.close()
  }

  /// Builds a change, and compares the design just after it with what the test expects.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - expected: Turns the design just before the change into the expected one. Omit it if
  ///     nothing changes.
  ///   - sourceLocation: The location of a failure.
  /// - Returns: A handle that you can use to wait for or cancel the effects of the change.
  @discardableResult
  public func build(
    _ change: B.Change, _ expected: ((inout B.Design) -> Void)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Build {
    let build = lego.build(change)
    guard let (step, earlier) = log.take(build: build.number) else {
      checkIgnored(change, expected, sourceLocation)
      return build
    }
    if !earlier.isEmpty {
      report(
        about: .change, "received too little before this build: \(list(earlier))", sourceLocation)
    }
    check(step, expected, sourceLocation)
    return build
  }
}

public import LegoKit
internal import Synchronization
public import Testing

/// A test store that reports each change that the test does not account for.
///
/// The store applies the changes that effects send like any other store: immediately and in the
/// same order. It also records each change with the design before and after it. A test takes the
/// next change with ``receive(_:_:sourceLocation:)``, and states how the change affects the design.
///
/// By default, a test must account for every change. An unexpected change or design fails the test,
/// and the message shows the difference.
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
  /// The events that the test must account for.
  public let exhaustivity: Exhaustivity
  /// The maximum time to wait for a change or the end of an effect.
  public let timeout: Duration
  /// The clock that the store's effects use, unless the test overrides it.
  public let clock: TestClock
  let lego: Lego<B>
  let log: StepLog<B>
  let origin: SourceLocation
  /// The effects that have been reported as running.
  let reported = ReportedEffects()
  let hasEndedFollows = Atomic(false)

  /// Creates a store for a test.
  ///
  /// - Parameters:
  ///   - design: The initial design.
  ///   - blueprint: The rules for turning one design into the next.
  ///   - adaptors: The adaptors that perform the side effects of changes.
  ///   - exhaustivity: The events that the test must account for.
  ///   - clock: The clock that the store's effects use.
  ///   - timeout: The maximum time to wait for a change or the end of an effect. If nothing is
  ///     running that could send a change, the wait for a change ends sooner.
  ///   - tracer: A hook that receives the store's events.
  ///   - limit: The maximum number of changes that may wait to be received. If there are more, the
  ///     build that caused the last of them is cancelled, and the test fails.
  ///   - sourceLocation: The location for reporting failures when the store is released.
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

  /// Creates a store for a test of a feature.
  ///
  /// - Parameters:
  ///   - design: The initial design.
  ///   - feature: The rules for turning one design into the next, and the side effects of changes.
  ///   - exhaustivity: The events that the test must account for.
  ///   - clock: The clock that the store's effects use.
  ///   - timeout: The maximum time to wait for a change or the end of an effect.
  ///   - tracer: A hook that receives the store's events.
  ///   - limit: The maximum number of changes that may wait to be received.
  ///   - sourceLocation: The location for reporting failures when the store is released.
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
  /// A change from an effect becomes visible only when the test receives or skips it, or builds a
  /// later change. The design that a test reads therefore does not change while effects run.
  public var design: B.Design { log.design }

  /// The changes from effects that the test has not received, in the order in which they were
  /// applied.
  public var unreceived: [B.Change] { log.unreceived }

  /// The number of running effects.
  public var effectCount: Int { lego.effectCount }

  /// Closes the store, as `Lego.close()` does.
  ///
  /// The test must also receive the changes that adaptors send during the call.
  public func close() async {
    await lego.close()
  }

  /// Builds a change, and compares the resulting design with the expected one.
  ///
  /// - Parameters:
  ///   - change: The change to build.
  ///   - expected: Turns the design before the change into the expected design after it. Omit the
  ///     closure if the design does not change.
  ///   - sourceLocation: The location for reporting a failure.
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

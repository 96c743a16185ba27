public import LegoKit
public import Testing

/// A store under test: the same engine, where what effects send waits until the test receives it.
///
/// By default a test has to account for everything. What it does not expect fails it, with the
/// difference of the designs.
///
/// ```swift
/// let lego = TestLego(.init(), blueprint: AppBlueprint(), adaptors: [PermissionsAdaptor()])
/// lego.build(.permission(.requestCameraAccess)) { $0.permission.cameraRequests = 1 }
/// await lego.receive(.permission(.cameraAccess(.authorized))) {
///   $0.permission.camera = .authorized
/// }
/// await lego.finish()
/// ```
public final class TestLego<B: Blueprint>: Sendable {
  /// How much the test has to account for.
  public let exhaustivity: Exhaustivity
  /// How long to wait for what does not come.
  public let timeout: Duration
  /// The clock that the store's effects wait on, unless the test overrides it.
  public let clock: TestClock
  private let lego: Lego<B>
  private let inbox = Inbox<B.Change>()
  private let origin: SourceLocation

  /// Creates a store under test.
  ///
  /// - Parameters:
  ///   - design: The first design.
  ///   - blueprint: What changes do to it.
  ///   - adaptors: What happens beside the changes.
  ///   - exhaustivity: How much the test has to account for.
  ///   - clock: The clock that the store's effects wait on.
  ///   - timeout: How long to wait for what does not come; a test that passes never waits for it.
  ///   - sourceLocation: Where failures at the end of the store are reported.
  public init(
    _ design: B.Design, blueprint: B, adaptors: sending [Adaptor<B>] = [],
    exhaustivity: Exhaustivity = .full, clock: TestClock = TestClock(),
    timeout: Duration = .seconds(60),
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.exhaustivity = exhaustivity
    self.timeout = timeout
    self.clock = clock
    origin = sourceLocation
    lego = Lego(
      design, blueprint, adaptors, log: nil, nil, 2_000_000,
      intake: { [inbox] in inbox.append($0) }, clock: clock)
  }

  deinit {
    reportRest(at: origin)
  }

  /// The design now.
  public var design: B.Design { lego.design }

  /// The changes that effects have sent and the test has not received.
  public var unreceived: [B.Change] { inbox.changes }

  /// Builds a change, and compares the design with what the test expects.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - expected: Makes the expected design of the one before; left out when nothing changes.
  ///   - sourceLocation: Where a failure is reported.
  public func build(
    _ change: B.Change, _ expected: ((inout B.Design) -> Void)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    if let first = inbox.changes.first {
      report(
        about: .change, "received too little before this build: \(Description.of(first))",
        sourceLocation)
    }
    apply(change, expected, sourceLocation)
  }

  /// Receives the next change that an effect has sent, applies it, and compares the design.
  ///
  /// - Parameters:
  ///   - change: The change that is expected.
  ///   - expected: Makes the expected design of the one before; left out when nothing changes.
  ///   - sourceLocation: Where a failure is reported.
  public func receive(
    _ change: B.Change, _ expected: ((inout B.Design) -> Void)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await receive(
      "\(Description.of(change))", expected, sourceLocation, where: { $0 == change },
      otherwise: { "received another change than expected:\n\(Difference(from: change, to: $0))" })
  }

  /// Receives the next change if it passes a test, applies it, and compares the design.
  public func receive(
    where matches: (B.Change) -> Bool, _ expected: ((inout B.Design) -> Void)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await receive(
      "a change that matches", expected, sourceLocation, where: matches,
      otherwise: { "received a change that does not match: \(Description.of($0))" })
  }

  private func receive(
    _ wanted: String, _ expected: ((inout B.Design) -> Void)?, _ location: SourceLocation,
    where matches: (B.Change) -> Bool, otherwise mismatch: (B.Change) -> String
  ) async {
    while let received = await next(else: wanted, location) {
      if matches(received) { return apply(received, expected, location) }
      report(about: .change, mismatch(received), location)
      lego.build(received)
      // What was wanted may follow, unless a change too many is a failure already.
      if exhaustivity.consequence(ofLeavingOut: .change) == .failure { return }
    }
  }

  /// Applies what effects have sent so far, without a word about it.
  public func skipReceived() {
    for change in inbox.changes { lego.build(change) }
    inbox.removeAll()
  }

  /// Cancels all effects that have this id.
  public func cancel(id: some Hashable & Sendable) { lego.cancel(id: id) }

  /// Waits until every effect has ended; one that does not end, and what was not received, fails
  /// the test.
  ///
  /// At a level where effects may still run at the end it does not wait for them.
  public func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
    let isWaiting = exhaustivity.consequence(ofLeavingOut: .effect) != .nothing
    let deadline = ContinuousClock.now + timeout
    while isWaiting, lego.effectCount > 0, ContinuousClock.now < deadline {
      try? await ContinuousClock().sleep(for: .milliseconds(1))
    }
    reportRest(at: sourceLocation)
    inbox.removeAll()
  }

  private func next(else missing: String, _ location: SourceLocation) async -> B.Change? {
    guard let change = await inbox.next(within: timeout) else {
      Issue.record("expected \(missing), but no change came", sourceLocation: location)
      return nil
    }
    return change
  }

  private func apply(
    _ change: B.Change, _ expected: ((inout B.Design) -> Void)?, _ location: SourceLocation
  ) {
    var wanted = lego.design
    lego.build(change)
    let found = lego.design
    if exhaustivity != .full {
      // What the test mentions has to be right; the rest is as it was found.
      var mentioned = found
      expected?(&mentioned)
      if mentioned != found {
        Issue.record(
          Comment(rawValue: difference(change, mentioned, found)), sourceLocation: location)
        return
      }
      if exhaustivity.consequence(ofLeavingOut: .difference) == .nothing { return }
    }
    expected?(&wanted)
    if wanted != found {
      report(about: .difference, difference(change, wanted, found), location)
    }
  }

  private func difference(_ change: B.Change, _ wanted: B.Design, _ found: B.Design) -> String {
    """
    \(Description.of(change)) made another design than expected (expected → found):
    \(Difference(from: wanted, to: found))
    """
  }

  private func report(
    about matter: Exhaustivity.Matter, _ message: @autoclosure () -> String,
    _ location: SourceLocation
  ) {
    let severity: Issue.Severity
    switch exhaustivity.consequence(ofLeavingOut: matter) {
    case .failure: severity = .error
    case .warning: severity = .warning
    case .nothing: return
    }
    Issue.record(Comment(rawValue: message()), severity: severity, sourceLocation: location)
  }

  private func reportRest(at location: SourceLocation) {
    let rest = inbox.changes
    if !rest.isEmpty {
      report(
        about: .change, "not received: \(rest.map(Description.of).joined(separator: ", "))",
        location)
    }
    let count = lego.effectCount
    if count > 0 {
      report(
        about: .effect,
        count == 1
          ? "an effect is still running; cancel it, or let it end"
          : "\(count) effects are still running; cancel them, or let them end",
        location)
    }
  }
}

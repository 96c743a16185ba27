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
    complainAboutRest(at: origin)
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
    if exhaustivity == .full, let first = inbox.changes.first {
      Issue.record(
        "received too little before this build: \(Description.of(first))",
        sourceLocation: sourceLocation)
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
    while let received = await next(else: "\(Description.of(change))", sourceLocation) {
      if received == change { return apply(received, expected, sourceLocation) }
      if exhaustivity == .full {
        Issue.record(
          """
          received another change than expected:
          \(Difference(from: change, to: received))
          """, sourceLocation: sourceLocation)
        return apply(received, nil, sourceLocation, isCompared: false)
      }
      apply(received, nil, sourceLocation, isCompared: false)
    }
  }

  /// Receives the next change if it passes a test, applies it, and compares the design.
  public func receive(
    where matches: (B.Change) -> Bool, _ expected: ((inout B.Design) -> Void)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    while let received = await next(else: "a change that matches", sourceLocation) {
      if matches(received) { return apply(received, expected, sourceLocation) }
      if exhaustivity == .full {
        Issue.record(
          "received a change that does not match: \(Description.of(received))",
          sourceLocation: sourceLocation)
        return apply(received, nil, sourceLocation, isCompared: false)
      }
      apply(received, nil, sourceLocation, isCompared: false)
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
  public func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
    let deadline = ContinuousClock.now + timeout
    while lego.effectCount > 0, ContinuousClock.now < deadline {
      try? await ContinuousClock().sleep(for: .milliseconds(1))
    }
    complainAboutRest(at: sourceLocation)
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
    _ change: B.Change, _ expected: ((inout B.Design) -> Void)?, _ location: SourceLocation,
    isCompared: Bool = true
  ) {
    let before = lego.design
    lego.build(change)
    guard isCompared, exhaustivity == .full || expected != nil else { return }
    // Without exhaustivity only what the test mentions has to be right.
    var wanted = exhaustivity == .full ? before : lego.design
    expected?(&wanted)
    if wanted != lego.design {
      Issue.record(
        """
        \(Description.of(change)) made another design than expected (expected → found):
        \(Difference(from: wanted, to: lego.design))
        """, sourceLocation: location)
    }
  }

  private func complainAboutRest(at location: SourceLocation) {
    guard exhaustivity == .full else { return }
    let rest = inbox.changes
    if !rest.isEmpty {
      let list = rest.map(Description.of).joined(separator: ", ")
      Issue.record("not received: \(list)", sourceLocation: location)
    }
    if lego.effectCount > 0 {
      Issue.record(
        "\(lego.effectCount) effects are still running; cancel them, or let them end",
        sourceLocation: location)
    }
  }
}

internal import Synchronization

/// A store: it holds a design and changes it by a blueprint.
///
/// A store may be used from any thread or task. Changes are applied one at a time, in one order
/// that everyone sees; when ``build(_:)`` returns, its change is applied.
public final class Lego<B: Blueprint>: Sendable {
  /// What the store holds.
  public typealias Design = B.Design
  /// What can happen to it.
  public typealias Change = B.Change

  let state: Mutex<LegoState<B>>
  private let blueprint: B
  private let adaptors: AdaptorShelf<B>

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - design: The first design.
  ///   - blueprint: What changes do to it.
  ///   - adaptors: What happens beside the changes; they belong to this store from now on.
  ///   - enableLogs: Whether every change is written to the sink.
  ///   - logSink: Where the log goes; the ``Contractors/logSink`` in force when left out.
  public init(
    _ design: B.Design, blueprint: B, adaptors: sending [Adaptor<B>] = [],
    enableLogs: Bool = false, logSink: LogSink? = nil
  ) {
    state = Mutex(LegoState(design: design, hasAdaptors: !adaptors.isEmpty))
    self.blueprint = blueprint
    self.adaptors = AdaptorShelf(adaptors)
    if enableLogs {
      let logger = ChangeLogger<B>(to: logSink ?? Contractors().logSink)
      state.withLock { $0.add(Observer(.record(logger.log))) }
    }
  }

  deinit {
    let (runs, audience) = state.withLock { ($0.effects.end { _ in true }, $0.audience) }
    for run in runs { run.cancel() }
    for observer in audience?.observers ?? [] { observer.end?() }
  }

  /// The design as the last change left it.
  public var design: B.Design { state.withLock { $0.design } }

  /// Applies a change, tells those who observe, and has the adaptors answer.
  ///
  /// When it returns, the change is applied. When nobody else was building, the observers have
  /// been told too; else the thread that is telling them goes on with this change. A build inside
  /// an observer or an adaptor is such a case, so that builds never recurse.
  ///
  /// - Returns: A handle to wait for, or to cancel, what the change causes.
  @discardableResult
  public func build(_ change: B.Change) -> Build {
    let (number, record) = state.withLock { state in
      let record = state.apply(change, root: nil, with: blueprint)
      return (state.number, record)
    }
    tell(record)
    return Build(number: number, owner: self)
  }

  /// Applies a change that an effect sent, unless the effect was cancelled.
  func build(_ change: B.Change, from run: EffectRun<B>) {
    let record: LegoState<B>.Record? = state.withLock { state in
      guard run.isLive.load(ordering: .relaxed) else { return nil }
      return state.apply(change, root: run.root, with: blueprint)
    }
    tell(record)
  }

  /// Applies the only change of an effect that was ready at once.
  private func build(_ change: B.Change, root: UInt64) {
    tell(state.withLock { $0.apply(change, root: root, with: blueprint) })
  }

  /// Tells a record and all that follow it, until none is left.
  private func tell(_ record: LegoState<B>.Record?) {
    var next = record
    while let record = next {
      record.audience.tell(record)
      if record.isAnswered { answer(record) }
      let settled: [Waiter]
      (next, settled) = state.withLock { ($0.next(), $0.takeSettledWaiters()) }
      for waiter in settled { waiter.continuation.resume() }
    }
  }

  private func answer(_ record: LegoState<B>.Record) {
    for index in 0..<adaptors.count {
      let publisher = adaptors.connect(index, record.design, on: record.change)
      if let change = publisher.readyValue {
        build(change, root: record.root)
      } else if !publisher.isKnownEmpty {
        start(publisher, root: record.root)
      }
    }
  }

  private func start(_ publisher: AnyPublisher<B.Change, Never>, root: UInt64) {
    let run = state.withLock { state in
      let run = EffectRun(state.effects.nextNumber(), root: root, in: self)
      state.effects.add(run)
      return run
    }
    publisher.receive(subscriber: run)
  }

  /// Forgets an effect that has ended.
  func end(_ run: EffectRun<B>) {
    let (removed, settled) = state.withLock { state in
      (state.effects.remove(run), state.takeSettledWaiters())
    }
    withExtendedLifetime(removed) {}
    for waiter in settled { waiter.continuation.resume() }
  }
}

internal import LegoPublishers
internal import Synchronization

/// A running effect: a publisher or a task that sends changes to the store.
@usableFromInline final class EffectRun: Sendable {
  private enum Work: Sendable {
    case starting
    case task(Task<Void, Never>)
    case subscription(any Cancellable)
    case ended
  }

  @usableFromInline let number: UInt64
  @usableFromInline let context: EffectContext
  private let work = Mutex(Work.starting)

  init(_ number: UInt64, in context: EffectContext) {
    self.number = number
    self.context = context
  }

  /// Keeps a subscription, to be cancelled with the effect.
  ///
  /// - Returns: `false` if the effect has ended. Then the subscription is cancelled.
  @usableFromInline func attach(_ subscription: any Cancellable) -> Bool {
    let isAttached = attach(.subscription(subscription))
    if !isAttached { subscription.cancel() }
    return isAttached
  }

  /// Keeps a task, to be cancelled with the effect.
  @usableFromInline func attach(_ task: Task<Void, Never>) {
    if !attach(.task(task)) { task.cancel() }
  }

  private func attach(_ new: Work) -> Bool {
    work.withLock { work in
      guard case .starting = work else { return false }
      work = new
      return true
    }
  }

  /// Frees the work, which has ended by itself.
  @usableFromInline func detach() { _ = takeWork() }

  /// Cancels the work.
  ///
  /// The store has removed the effect already.
  @usableFromInline func cancel() {
    switch takeWork() {
    case .task(let task): task.cancel()
    case .subscription(let subscription): subscription.cancel()
    case .starting, .ended: break
    }
  }

  private func takeWork() -> Work {
    work.withLock { work in
      defer { work = .ended }
      return work
    }
  }
}

/// The time during which an effect with an ID is running, and everything inside it.
@usableFromInline struct EffectSpan: Sendable {
  let id: EffectID
  let number: UInt64
}

/// The surroundings of an effect: its build, the overrides, the part and the spans around it, and
/// what follows it.
@usableFromInline struct EffectContext: Sendable {
  /// The number of the build that caused the effect, or 0 for an effect that follows from the
  /// design.
  @usableFromInline let root: UInt64
  /// The number of the change that the effect answers.
  let number: UInt64
  /// The overrides of that change.
  ///
  /// The effect's changes are applied and delivered under them.
  @usableFromInline let overrides: InjectionScope?
  /// The path to the part that the effect belongs to.
  @usableFromInline private(set) var part = PartPath()
  /// The spans around the effect, starting with the outermost.
  private(set) var spans: [EffectSpan] = []
  @usableFromInline private(set) var next: EffectContinuation?

  @usableFromInline init(root: UInt64, number: UInt64, overrides: InjectionScope?) {
    self.root = root
    self.number = number
    self.overrides = overrides
  }

  /// The same surroundings inside a span.
  @usableFromInline func within(_ span: EffectSpan) -> EffectContext {
    var context = self
    context.spans.append(span)
    return context
  }

  /// The same surroundings inside a part.
  @usableFromInline func within(_ step: PartPath.Step) -> EffectContext {
    var context = self
    context.part = part.appending(step)
    return context
  }

  /// The same surroundings with another continuation.
  @usableFromInline func followed(by next: EffectContinuation) -> EffectContext {
    var context = self
    context.next = next
    return context
  }

  /// The surroundings of the innermost span, for an effect that may run longer than the span.
  ///
  /// What follows the span then waits for that effect, too.
  @usableFromInline func outsideInnermostSpan() -> EffectContext {
    var next = next
    while let current = next {
      if case .leave = current.step {
        current.context.next?.waitForOneMore()
        return current.context
      }
      next = current.context.next
    }
    return self
  }
}

/// The step that follows when one or more effects have ended.
@usableFromInline final class EffectContinuation: Sendable {
  @usableFromInline enum Step: Sendable {
    /// Starts the rest of a concatenation.
    case start(EffectRegistry.Start)
    /// Ends a span. Another effect may be waiting for that.
    case leave(EffectSpan)
    /// Does nothing but wait for several effects.
    case join
  }

  /// Which side starts the rest of a concatenation.
  private enum Handover: UInt8 {
    case starting, started, ended, stopped
  }

  @usableFromInline let step: Step
  @usableFromInline let context: EffectContext
  private let remaining: Atomic<Int>
  private let handover = Atomic(Handover.starting.rawValue)

  @usableFromInline init(_ step: Step, after count: Int = 1, in context: EffectContext) {
    self.step = step
    self.context = context
    remaining = Atomic(count)
  }

  /// Counts the end of an effect.
  ///
  /// - Returns: `true` if it was the last one.
  @usableFromInline func countDown() -> Bool {
    remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// Waits for the end of another effect, which must start before the others have ended.
  fileprivate func waitForOneMore() { remaining.add(1, ordering: .relaxed) }

  /// Leaves the rest to the call that is still starting the previous effect.
  ///
  /// Without this, each effect that ends while it starts would deepen the stack.
  ///
  /// - Parameter isContinuing: `false` if the rest must not start.
  /// - Returns: `false` if the caller has to start the rest.
  @usableFromInline func isLeftToStarter(isContinuing: Bool) -> Bool {
    let end = isContinuing ? Handover.ended : .stopped
    return handover.compareExchange(
      expected: Handover.starting.rawValue, desired: end.rawValue, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Notes that the previous effect has been started.
  ///
  /// - Returns: `true` if the rest may start, or `nil` if the effect starts it at its end.
  @usableFromInline func started() -> Bool? {
    let (isFirst, found) = handover.compareExchange(
      expected: Handover.starting.rawValue, desired: Handover.started.rawValue,
      ordering: .acquiringAndReleasing)
    return isFirst ? nil : found == Handover.ended.rawValue
  }
}

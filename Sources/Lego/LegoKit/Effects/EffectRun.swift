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

  /// Keeps a subscription, which is cancelled with the effect.
  ///
  /// - Returns: `false` if the effect has ended, in which case the subscription was cancelled.
  @usableFromInline func attach(_ subscription: any Cancellable) -> Bool {
    let isAttached = attach(.subscription(subscription))
    if !isAttached { subscription.cancel() }
    return isAttached
  }

  /// Keeps a task, which is cancelled with the effect.
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

  /// Frees the work after it has ended by itself.
  @usableFromInline func detach() { _ = takeWork() }

  /// Cancels the work of an effect that was removed from the registry.
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

/// The identity of a span, as ``EffectRegistry`` defines it: one start of an effect with an ID, of an
/// effect of a part, or of a ``Follow``.
@usableFromInline struct EffectSpan: Sendable {
  let id: EffectID
  let number: UInt64
}

/// The context of an effect: its root, the overrides, the part and the spans around it, and what
/// follows it.
@usableFromInline struct EffectContext: Sendable {
  /// The number of the build that caused the effect, 0 for a ``Follow``, or `UInt64.max` for an
  /// effect that ``Adaptor/closing(_:)`` returned.
  @usableFromInline let root: UInt64
  /// The number of the change after which the effect started.
  let number: UInt64
  /// The overrides of that change, which apply to the changes that the effect sends.
  @usableFromInline let overrides: InjectionScope?
  /// The path to the part that the effect belongs to.
  @usableFromInline private(set) var part = PartPath()
  /// The spans around the effect, starting with the outermost.
  private(set) var spans: [EffectSpan] = []
  /// What follows the effect.
  @usableFromInline private(set) var next: EffectContinuation?

  @usableFromInline init(root: UInt64, number: UInt64, overrides: InjectionScope?) {
    self.root = root
    self.number = number
    self.overrides = overrides
  }

  /// Returns this context inside a span.
  @usableFromInline func within(_ span: EffectSpan) -> EffectContext {
    var context = self
    context.spans.append(span)
    return context
  }

  /// Returns this context inside a part.
  @usableFromInline func within(_ step: PartPath.Step) -> EffectContext {
    var context = self
    context.part = part.appending(step)
    return context
  }

  /// Returns this context with something else that follows.
  @usableFromInline func followed(by next: EffectContinuation) -> EffectContext {
    var context = self
    context.next = next
    return context
  }

  /// Returns the context around the innermost span, for an effect that may run longer than the
  /// span.
  ///
  /// What follows the span then waits for that effect, too.
  @usableFromInline func outsideInnermostSpan() -> EffectContext {
    var next = next
    while let current = next {
      if case .closeSpan = current.step {
        current.context.next?.waitForOneMore()
        return current.context
      }
      next = current.context.next
    }
    return self
  }
}

/// What follows when one or more effects have ended: a step, and then what follows the context of
/// the step.
@usableFromInline final class EffectContinuation: Sendable {
  @usableFromInline enum Step: Sendable {
    /// Starts the rest of a concatenation.
    case start(EffectRegistry.Start)
    /// Closes a span, and starts the effect that was waiting for this.
    case closeSpan(EffectSpan)
    /// Nothing: the effects were merged, and only their common end counts.
    case join
  }

  /// The state of the agreement about who starts the rest of a concatenation.
  private enum Handover: UInt8 {
    case starting, started, ended, stopped
  }

  /// What the call that started an effect of a concatenation does after that.
  @usableFromInline enum StarterStep: Sendable {
    /// It starts the rest, because the effect has ended already.
    case startRest
    /// It skips the rest, because the effect was cancelled already together with all that follows.
    case skipRest
    /// It returns. The end of the effect starts the rest.
    case `return`
  }

  @usableFromInline let step: Step
  /// The context of the effects as a whole, which contains what follows after the step.
  @usableFromInline let context: EffectContext
  /// The number of effects that have not ended.
  private let remaining: Atomic<Int>
  private let handover = Atomic(Handover.starting.rawValue)

  @usableFromInline init(_ step: Step, after count: Int = 1, in context: EffectContext) {
    self.step = step
    self.context = context
    remaining = Atomic(count)
  }

  /// Counts the end of one effect.
  ///
  /// - Returns: `true` if it was the last one.
  @usableFromInline func countDown() -> Bool {
    remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// Makes the continuation wait for one more effect.
  ///
  /// At least one of the others must not have ended.
  fileprivate func waitForOneMore() { remaining.add(1, ordering: .relaxed) }

  /// Leaves the rest of a concatenation to the call that is still starting the effect that ended.
  ///
  /// Otherwise, each effect that ends while it is started would deepen the stack.
  ///
  /// - Parameter isContinuing: `false` if the rest must not start.
  /// - Returns: `false` if that call has returned, so that the caller continues.
  @usableFromInline func leaveRestToStarter(isContinuing: Bool) -> Bool {
    let end = isContinuing ? Handover.ended : .stopped
    return handover.compareExchange(
      expected: Handover.starting.rawValue, desired: end.rawValue, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Records that an effect of a concatenation has been started.
  ///
  /// - Returns: What the starting call does next.
  @usableFromInline func finishStarting() -> StarterStep {
    let (isFirst, found) = handover.compareExchange(
      expected: Handover.starting.rawValue, desired: Handover.started.rawValue,
      ordering: .acquiringAndReleasing)
    if isFirst { return .return }
    return found == Handover.ended.rawValue ? .startRest : .skipRest
  }
}

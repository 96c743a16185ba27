internal import LegoPublishers
internal import Synchronization

/// A running effect: a publisher or task that sends changes to the store.
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

  /// Stores the effect's subscription, so that it can be cancelled.
  ///
  /// - Returns: `false` if the effect has already ended, in which case the subscription is
  ///   cancelled.
  @usableFromInline func attach(_ subscription: any Cancellable) -> Bool {
    let isAttached = attach(.subscription(subscription))
    if !isAttached { subscription.cancel() }
    return isAttached
  }

  /// Stores the effect's task, so that it can be cancelled.
  ///
  /// If the effect has already ended, the task is cancelled at once.
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

  /// Releases the task or subscription after it has ended on its own.
  @usableFromInline func detach() { _ = takeWork() }

  /// Cancels the task or subscription of an effect that was removed from the registry.
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

/// Identifies a span, as defined in ``EffectRegistry``.
@usableFromInline struct EffectSpan: Sendable {
  let id: EffectID
  let number: UInt64
}

/// The context of an effect: its root, the overrides, the part and the spans around it, and what
/// follows it.
@usableFromInline struct EffectContext: Sendable {
  /// The number of the build that caused the effect.
  ///
  /// It is 0 for the effect of a ``Follow`` or a change from a ``StoreLink``, and `UInt64.max` for
  /// an effect that ``Adaptor/closing(_:)`` returned.
  @usableFromInline let root: UInt64
  /// The number of the change that triggered the effect.
  let number: UInt64
  /// The overrides that are active for the triggering change and for the changes that the effect
  /// sends.
  @usableFromInline let overrides: InjectionScope?
  /// The path to the part that the effect belongs to.
  @usableFromInline private(set) var part = PartPath()
  /// The spans around the effect, starting with the outermost.
  private(set) var spans: [EffectSpan] = []
  /// The step that follows the effect, or `nil` if nothing does.
  @usableFromInline private(set) var next: EffectContinuation?

  @usableFromInline init(root: UInt64, number: UInt64, overrides: InjectionScope?) {
    self.root = root
    self.number = number
    self.overrides = overrides
  }

  /// Returns a copy of this context inside a span.
  @usableFromInline func within(_ span: EffectSpan) -> EffectContext {
    var context = self
    context.spans.append(span)
    return context
  }

  /// Returns a copy of this context inside a part.
  @usableFromInline func within(_ step: PartPath.Step) -> EffectContext {
    var context = self
    context.part = part.appending(step)
    return context
  }

  /// Returns a copy of this context in which the given step follows the effect.
  @usableFromInline func followed(by next: EffectContinuation) -> EffectContext {
    var context = self
    context.next = next
    return context
  }

  /// Returns the context around the innermost span, for an effect that may outlast the span.
  ///
  /// The step that follows the span then waits for that effect as well.
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

/// A step to perform when one or more effects have ended.
///
/// The step's context contains the step that follows this one.
@usableFromInline final class EffectContinuation: Sendable {
  @usableFromInline enum Step: Sendable {
    /// Starts the rest of a concatenation.
    case start(EffectRegistry.Start)
    /// Closes a span, and starts the effect that was waiting for it to close.
    case closeSpan(EffectSpan)
    /// Marks the end of all merged effects.
    case join
  }

  /// The state of an effect in a concatenation, which determines who starts the rest.
  ///
  /// It changes once, from `starting` to another state. If the call that starts the effect returns
  /// first, the state is `started`, and the end of the effect starts the rest. If the effect ends
  /// during that call, the state is `ended`, or `stopped` if the rest must not start. The call then
  /// continues.
  private enum Handover: UInt8 {
    case starting, started, ended, stopped
  }

  /// The next action of the call that started an effect in a concatenation.
  @usableFromInline enum StarterStep: Sendable {
    /// The call starts the rest, because the effect has already ended.
    case startRest
    /// The call skips the rest, which was cancelled along with the effect.
    case skipRest
    /// The call returns, and the end of the effect starts the rest.
    case `return`
  }

  @usableFromInline let step: Step
  /// The context around the effects, which contains the step that follows this one.
  @usableFromInline let context: EffectContext
  /// The number of effects that have not ended.
  private let remaining: Atomic<Int>
  private let handover = Atomic(Handover.starting.rawValue)

  @usableFromInline init(_ step: Step, after count: Int = 1, in context: EffectContext) {
    self.step = step
    self.context = context
    remaining = Atomic(count)
  }

  /// Records that an effect has ended.
  ///
  /// - Returns: `true` if all effects have ended, in which case the step must be performed.
  @usableFromInline func countDown() -> Bool {
    remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// Makes the continuation wait for one more effect.
  ///
  /// At least one of the other effects must not have ended.
  fileprivate func waitForOneMore() { remaining.add(1, ordering: .relaxed) }

  /// Leaves the rest of a concatenation to the call that started the ended effect, if that call is
  /// still running.
  ///
  /// Otherwise, each effect that ends during its start would deepen the stack.
  ///
  /// - Parameter isContinuing: `false` if the rest must not start.
  /// - Returns: `false` if that call has already returned, in which case the caller must continue.
  @usableFromInline func leaveRestToStarter(isContinuing: Bool) -> Bool {
    let end = isContinuing ? Handover.ended : .stopped
    return handover.compareExchange(
      expected: Handover.starting.rawValue, desired: end.rawValue, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Records that an effect in a concatenation has been started.
  ///
  /// - Returns: The next action of the call that started it.
  @usableFromInline func finishStarting() -> StarterStep {
    let (isFirst, found) = handover.compareExchange(
      expected: Handover.starting.rawValue, desired: Handover.started.rawValue,
      ordering: .acquiringAndReleasing)
    if isFirst { return .return }
    return found == Handover.ended.rawValue ? .startRest : .skipRest
  }
}

internal import Synchronization

/// A running effect: a publisher or a task that brings changes into the store.
@usableFromInline final class EffectRun: Sendable, Cancellable {
  private enum Work: Sendable {
    case starting
    case task(Task<Void, Never>)
    case running(any Cancellable)
    case ended
  }

  let number: UInt64
  @usableFromInline let context: EffectContext
  /// Whether what it sends is still applied.
  ///
  /// It is read under the store's lock; see ``EffectLedger`` for how it is cleared.
  let live = Atomic(true)
  private let ledger: EffectLedger
  private let work = Mutex(Work.starting)

  init(_ number: UInt64, in context: EffectContext, of ledger: EffectLedger) {
    self.number = number
    self.context = context
    self.ledger = ledger
  }

  @usableFromInline var isLive: Bool { live.load(ordering: .acquiring) }

  @usableFromInline func finish() {
    _ = exchange()
    ledger.end(self)
  }

  /// Notes that the task has done its work; the task lets go of the effect by itself.
  @usableFromInline func finishTask() { ledger.end(self) }

  /// Takes on what has to be cancelled with the effect.
  @usableFromInline func attach(_ cancellable: any Cancellable) -> Bool {
    let isAttached = work.withLock { work in
      guard case .starting = work else { return false }
      work = .running(cancellable)
      return true
    }
    if !isAttached { cancellable.cancel() }
    return isAttached
  }

  /// Takes on the task that is the effect.
  @usableFromInline func attach(_ task: Task<Void, Never>) {
    let isAttached = work.withLock { work in
      guard case .starting = work else { return false }
      work = .task(task)
      return true
    }
    if !isAttached { task.cancel() }
  }

  /// Stops the work; the ledger has ended the effect already.
  @usableFromInline func cancel() {
    switch exchange() {
    case .task(let task): task.cancel()
    case .running(let cancellable): cancellable.cancel()
    case .starting, .ended: break
    }
  }

  private func exchange() -> Work {
    work.withLock { work in
      defer { work = .ended }
      return work
    }
  }
}

internal import LegoPublishers
internal import Synchronization

/// A handle to a built change, and to the effects that it causes.
public struct Build: Sendable {
  /// The change's number in its store, starting at 1, or 0 if the change was ignored.
  public let number: UInt64
  @usableFromInline let owner: any BuildOwner

  @inlinable init(number: UInt64, owner: any BuildOwner) {
    self.number = number
    self.owner = owner
  }

  /// Waits until the change has been delivered and the effects that it caused have ended.
  ///
  /// These are the effects that the adaptors return for the change, and for the changes that these
  /// effects send. The call does not wait for a ``Follow`` that restarts because of the change, for
  /// changes that observers or adaptors build, or for what an effect causes in another store. If
  /// the change was ignored, the call returns at once.
  ///
  /// Cancelling the waiting task has the same effect as ``cancel()``.
  public func finished() async {
    if number > 0 { await owner.finished(number) }
  }

  /// Cancels the effects that ``finished()`` waits for.
  ///
  /// The change itself remains applied, and observers still receive it. If it has not been fully
  /// delivered, it starts no further effects.
  public func cancel() {
    if number > 0 { owner.cancel(number) }
  }
}

/// The store of a ``Build``, with the type of its blueprint erased.
@usableFromInline protocol BuildOwner: AnyObject, Sendable {
  func finished(_ root: UInt64) async
  func cancel(_ root: UInt64)
}

extension Lego: BuildOwner {
  @usableFromInline func finished(_ root: UInt64) async {
    if state.withLock({ $0.isOver(root) }) { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let task = WaitingTask(continuation)
        if state.withLock({ $0.wait(task, for: root) }) { task.resume() }
      }
    } onCancel: {
      cancel(root)
    }
  }

  @usableFromInline func cancel(_ root: UInt64) {
    finishCancelling(state.withLock { $0.cancel(root) }, isContinuing: false)
  }
}

/// The builds that tasks are waiting for, and those that were cancelled but are not yet over.
///
/// A build is over when it has neither entries nor holds in the ``EffectRegistry`` and its last
/// record has been delivered. A *place* is the sequence number of a record. If a build's last
/// record is not known, the place of the last record in the queue is used instead.
@usableFromInline struct TrackedBuilds: Sendable {
  private struct Entry: Sendable {
    /// The place of the last record that must be delivered before the build is over.
    var place: UInt64
    var isCancelled = false
    var tasks: [WaitingTask] = []
  }

  private var entries: [UInt64: Entry] = [:]
  /// The builds that may be over once a record has been delivered, keyed by the record's place.
  ///
  /// A place is added only before its record is delivered, so the delivery removes it.
  private var due: [UInt64: [UInt64]] = [:]

  init() {}

  @usableFromInline var isEmpty: Bool { entries.isEmpty && due.isEmpty }

  @usableFromInline func isCancelled(_ root: UInt64) -> Bool {
    entries[root]?.isCancelled ?? false
  }

  /// Makes a task wait for a build.
  ///
  /// - Parameters:
  ///   - task: The task.
  ///   - root: The number of the build.
  ///   - place: The place of the last record that must be delivered first, or 0 if all records have
  ///     been delivered.
  mutating func add(_ task: WaitingTask, for root: UInt64, until place: UInt64) {
    update(root, until: place) { $0.tasks.append(task) }
  }

  /// Marks a build as cancelled until it is over.
  ///
  /// - Parameters:
  ///   - root: The number of the build.
  ///   - place: The place of the last record that must be delivered first, or 0 if all records have
  ///     been delivered.
  mutating func cancel(_ root: UInt64, until place: UInt64) {
    update(root, until: place) { $0.isCancelled = true }
  }

  /// Updates the place of a build when one of its records is added to the queue.
  @usableFromInline mutating func noteQueued(_ place: UInt64, root: UInt64) {
    if entries[root] != nil { update(root, until: place) { _ in } }
  }

  private mutating func update(
    _ root: UInt64, until place: UInt64, _ change: (inout Entry) -> Void
  ) {
    var entry = entries[root] ?? Entry(place: 0)
    if entry.place < place {
      entry.place = place
      due[place, default: []].append(root)
    }
    change(&entry)
    entries[root] = entry
  }

  /// Removes and returns the builds that may be over once the record at a place has been delivered.
  mutating func takeDue(at place: UInt64) -> [UInt64] { due.removeValue(forKey: place) ?? [] }

  /// Removes a build that has no effects, if its records have been delivered.
  ///
  /// - Parameters:
  ///   - root: The number of the build.
  ///   - place: The place of the last record that was delivered.
  /// - Returns: The tasks that were waiting for the build.
  @usableFromInline mutating func takeFinished(_ root: UInt64, deliveredTo place: UInt64)
    -> [WaitingTask]
  {
    guard let entry = entries[root], entry.place <= place else { return [] }
    entries[root] = nil
    return entry.tasks
  }
}

/// A task that is waiting for a build.
@usableFromInline final class WaitingTask: Sendable {
  private let continuation: CheckedContinuation<Void, Never>

  init(_ continuation: CheckedContinuation<Void, Never>) {
    self.continuation = continuation
  }

  /// Resumes the task.
  ///
  /// It must be called exactly once, outside all locks.
  @usableFromInline func resume() { continuation.resume() }
}

internal import LegoPublishers
internal import Synchronization

/// A change that was built, and everything that it causes.
public struct Build: Sendable {
  /// The change's number in its store, starting at 1, or 0 if the change was ignored.
  public let number: UInt64
  @usableFromInline let owner: any BuildOwner

  @inlinable init(number: UInt64, owner: any BuildOwner) {
    self.number = number
    self.owner = owner
  }

  /// Waits until every effect that the change caused, directly or indirectly, has ended.
  ///
  /// If the waiting task is cancelled, these effects are cancelled as well.
  public func finished() async {
    if number > 0 { await owner.finished(number) }
  }

  /// Cancels every effect that the change caused.
  ///
  /// The change itself stays applied.
  public func cancel() {
    if number > 0 { owner.cancel(number) }
  }
}

/// A store, to a ``Build``.
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

/// The builds that a task waits for, or that were cancelled and are not over.
///
/// A build is over when the queue has been delivered up to its last change and none of its effects
/// is under way.
@usableFromInline struct TrackedBuilds: Sendable {
  private struct Entry: Sendable {
    /// The last place in the queue that must be delivered before the build is over.
    var place: UInt64
    var isCancelled = false
    var tasks: [WaitingTask] = []
  }

  private var entries: [UInt64: Entry] = [:]
  /// The builds by the place in the queue that they wait for.
  ///
  /// Each place is still to be delivered when it is added, so delivery removes it.
  private var due: [UInt64: [UInt64]] = [:]

  init() {}

  @usableFromInline var isEmpty: Bool { entries.isEmpty && due.isEmpty }

  @usableFromInline func isCancelled(_ root: UInt64) -> Bool {
    entries[root]?.isCancelled ?? false
  }

  /// Lets a task wait for a build.
  ///
  /// - Parameters:
  ///   - task: The task.
  ///   - root: The build.
  ///   - place: The last place in the queue that must be delivered first, or 0 if everything has
  ///     been delivered.
  mutating func add(_ task: WaitingTask, for root: UInt64, until place: UInt64) {
    update(root, until: place) { $0.tasks.append(task) }
  }

  /// Marks a build as cancelled until it is over.
  ///
  /// - Parameters:
  ///   - root: The build.
  ///   - place: The same as for ``add(_:for:until:)``.
  mutating func cancel(_ root: UInt64, until place: UInt64) {
    update(root, until: place) { $0.isCancelled = true }
  }

  /// Notes that a change was queued.
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

  /// Takes the builds that may be over now that the queue has been delivered up to a place.
  mutating func takeDue(at place: UInt64) -> [UInt64] { due.removeValue(forKey: place) ?? [] }

  /// Takes the tasks that wait for a build without effects, if its changes have been delivered.
  @usableFromInline mutating func takeFinished(_ root: UInt64, deliveredTo place: UInt64)
    -> [WaitingTask]
  {
    guard let entry = entries[root], entry.place <= place else { return [] }
    entries[root] = nil
    return entry.tasks
  }
}

/// A task that waits for a build.
@usableFromInline final class WaitingTask: Sendable {
  private let continuation: CheckedContinuation<Void, Never>

  init(_ continuation: CheckedContinuation<Void, Never>) {
    self.continuation = continuation
  }

  /// Resumes the task.
  ///
  /// Called once, outside every lock.
  @usableFromInline func resume() { continuation.resume() }
}

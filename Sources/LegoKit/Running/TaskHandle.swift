/// A task that is cancelled with its effect.
@usableFromInline struct TaskHandle: Cancellable {
  @usableFromInline let task: Task<Void, Never>

  @inlinable init(task: Task<Void, Never>) {
    self.task = task
  }

  @usableFromInline func cancel() { task.cancel() }
}

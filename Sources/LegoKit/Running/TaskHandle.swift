/// A task that is cancelled with its effect.
struct TaskHandle: Cancellable {
  let task: Task<Void, Never>

  func cancel() { task.cancel() }
}

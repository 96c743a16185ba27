/// The tasks that wait for all that a build caused.
struct Waiters: Sendable {
  /// Most often it is one.
  private var first: WaitingTask?
  private var rest: [WaitingTask] = []
  /// How many of them have still to look for the build's changes in the store's queue.
  var scans = 0
  /// The number of the last change that the build caused and that was put in the queue.
  private(set) var lastQueued: UInt64 = 0

  mutating func add(_ task: WaitingTask) {
    if first == nil { first = task } else { rest.append(task) }
  }

  mutating func noteQueued(_ number: UInt64) {
    lastQueued = max(lastQueued, number)
  }

  /// Lets them go on; outside every lock.
  func resume() {
    first?.resume()
    for task in rest { task.resume() }
  }
}

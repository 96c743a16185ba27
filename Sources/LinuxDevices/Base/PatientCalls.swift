internal import AccessModel
internal import Dispatch
internal import Synchronization

/// Calls that may never return, each on a thread of its own.
///
/// While one waits for longer than it may, no other is begun, so that one thread is lost at most for each
/// caller that was there.
final class PatientCalls: Sendable {
  /// Those of the name service.
  static let accounts = PatientCalls(waiting: .seconds(3))

  private struct Call<Value: Sendable> {
    var result: Result<Value, Errno>?
    /// Whether nobody waits for it any more.
    var isLate = false
  }

  private final class Box<Value: Sendable>: Sendable {
    let call = Mutex(Call<Value>())
    let done = DispatchSemaphore(value: 0)
  }

  private let patience: Duration
  /// How many have not returned in time, nor until now.
  private let lateCount = Atomic(0)

  init(waiting patience: Duration) { self.patience = patience }

  /// Makes a call, and waits for it.
  ///
  /// - Throws: What the call throws, and `ETIMEDOUT` where it, or one before it, does not return in time.
  /// - Returns: What it returns.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(Errno) -> Value
  ) throws(Errno) -> Value {
    guard lateCount.load(ordering: .acquiring) == 0 else { throw .timedOut }
    let box = Box<Value>()
    let isStarted: Void? = try? DedicatedThread.run {
      let result = Result<Value, Errno>(catching: body)
      let isLate = box.call.withLock { call in
        call.result = result
        return call.isLate
      }
      if isLate { self.lateCount.subtract(1, ordering: .releasing) }
      box.done.signal()
    }
    // Without a thread it is made as everybody makes it.
    guard isStarted != nil else { return try body() }
    _ = box.done.wait(timeout: .now() + patience / .seconds(1))
    let result = box.call.withLock { call in
      if call.result == nil {
        call.isLate = true
        lateCount.add(1, ordering: .releasing)
      }
      return call.result
    }
    guard let result else { throw .timedOut }
    return try result.get()
  }
}

package import AccessModel
internal import CLinux
internal import Dispatch
internal import Synchronization

/// Runs work on a new thread, which ends when the work is done.
///
/// Unlike a thread of a pool, the thread starts with the credentials of the calling thread. It is
/// detached. All signals are blocked on it, except those for its own faults.
package enum DedicatedThread {
  /// The closure that the thread owns until it has run.
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Starts a thread and returns at once.
  ///
  /// - Throws: `EAGAIN` if no thread can be created, in which case the work does not run.
  package static func run(_ body: @escaping @Sendable () -> Void) throws(Errno) {
    let work = unsafe Unmanaged.passRetained(Work(body))
    let result = unsafe clinux_start_thread(
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard result == 0 else {
      unsafe work.release()
      throw Errno(negated: result)
    }
  }
}

/// Makes calls that may never return, each on its own thread.
///
/// While a call is overdue, all further calls fail at once. At most one thread is therefore lost
/// for each concurrent caller.
final class TimeLimitedCalls: Sendable {
  /// The calls of the name service.
  static let accounts = TimeLimitedCalls(waiting: .seconds(3))

  private struct Call<Value: Sendable> {
    var result: Result<Value, Errno>?
    /// A Boolean value that indicates whether the caller has stopped waiting.
    var isLate = false
  }

  private final class Box<Value: Sendable>: Sendable {
    let call = Mutex(Call<Value>())
    let done = DispatchSemaphore(value: 0)
  }

  private let patience: Duration
  /// The number of overdue calls that have not returned yet.
  private let lateCount = Atomic(0)

  init(waiting patience: Duration) { self.patience = patience }

  /// Makes a call and waits for its result.
  ///
  /// If no thread can be created, the call runs on the calling thread without a time limit.
  ///
  /// - Throws: The error that the call throws, or `ETIMEDOUT` if this call does not return in time
  ///   or an earlier one is overdue.
  /// - Returns: The result of the call.
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
    // Without a thread, the call is made directly.
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

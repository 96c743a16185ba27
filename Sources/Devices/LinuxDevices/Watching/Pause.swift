internal import AccessModel
internal import Dispatch

/// A one-shot timer that uses the event loop instead of libdispatch.
///
/// libdispatch starts threads for its pool. It terminates the program if procfs is not mounted or
/// if descriptors are exhausted (`_dispatch_workq_count_runnable_workers` and
/// `_dispatch_epoll_init`).
package final class Pause: Sendable {
  private let alarm: Alarm?
  /// The semaphore that ends the waiting thread, which is the fallback if no alarm can be created.
  private let gate: DispatchSemaphore?
  /// The waiting task, which is the fallback if no thread can be started for the alarm.
  private let sleep: Task<Void, Never>?

  /// The maximum delay of the alarm; a longer wait sets it repeatedly.
  private static let longest = Duration.seconds(86400)

  /// Starts waiting for a point in time.
  ///
  /// - Parameters:
  ///   - end: The point in time. The clock continues while the system sleeps.
  ///   - body: Called at that time on the event loop's thread, or on another one if the event loop
  ///     is unavailable. It must not block. It is not called after this value is deallocated.
  package convenience init(
    until end: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void
  ) {
    self.init(until: end, body) { (body) throws(Errno) in try Alarm(body) }
  }

  init(
    until end: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void,
    alarm make: (_ body: @escaping @Sendable () -> Int32?) throws(Errno) -> Alarm
  ) {
    do throws(Errno) {
      let alarm = try make {
        let delay = Self.delay(until: end)
        if delay == nil { body() }
        return delay
      }
      alarm.start(after: Self.delay(until: end) ?? 1)
      self.alarm = alarm
      (gate, sleep) = (nil, nil)
    } catch .tryAgain {
      // No thread can be started, so the task uses the pool's existing threads without blocking
      // one.
      (alarm, gate) = (nil, nil)
      sleep = Task.detached {
        try? await Task.sleep(until: end, clock: .continuous)
        if !Task.isCancelled { body() }
      }
    } catch {
      let gate = DispatchSemaphore(value: 0)
      (alarm, sleep) = (nil, nil)
      self.gate = gate
      let wait: @Sendable () -> Void = {
        // The gate is checked even if the time has come, because this value may have been
        // deallocated before the thread starts.
        repeat {
          let delay = Int(Self.delay(until: end) ?? 0)
          guard gate.wait(timeout: .now() + .milliseconds(delay)) == .timedOut else { return }
        } while Self.delay(until: end) != nil
        body()
      }
      if (try? DedicatedThread.run(wait)) == nil {
        // Without a descriptor and a thread, waiting is impossible, so the time counts as reached.
        FailurePause.wait()
        body()
      }
    }
  }

  deinit {
    alarm?.end()
    gate?.signal()
    sleep?.cancel()
  }

  /// Suspends the task until a point in time, or until the task is cancelled.
  package static func wait(until end: ContinuousClock.Instant) async {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    let pause = Pause(until: end) { continuation.finish() }
    for await _ in signals {}
    withExtendedLifetime(pause) {}
  }

  /// Returns the milliseconds until a point in time, rounded up and limited; `nil` if it has
  /// passed.
  private static func delay(until end: ContinuousClock.Instant) -> Int32? {
    let rest = min(ContinuousClock.now.duration(to: end), longest)
    guard rest > .zero else { return nil }
    let (seconds, attoseconds) = rest.components
    return Int32(seconds) * 1000 + Int32(attoseconds / 1_000_000_000_000_000) + 1
  }
}

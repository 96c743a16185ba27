internal import AccessModel
internal import Dispatch

/// A moment that the event loop waits for, in place of a thread of the runtime's pool.
///
/// That pool starts threads. Where procfs is missing its watchman ends the program, and so does a lack of
/// descriptors (`_dispatch_workq_count_runnable_workers` and `_dispatch_epoll_init` of libdispatch).
package final class Pause: Sendable {
  private let alarm: Alarm?
  /// Ends the thread that waits where no alarm can be had.
  private let gate: DispatchSemaphore?
  /// What waits where there is no thread for the alarm.
  private let sleep: Task<Void, Never>?

  /// The longest delay that is set at a time.
  private static let longest = Duration.seconds(86400)

  /// Waits for the moment.
  ///
  /// - Parameters:
  ///   - end: The moment; the time that the system sleeps counts.
  ///   - body: What to do then, on the event loop's thread or where there is one; it must not wait. Nothing
  ///     once this value is gone.
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
      // The pool has the threads that it started before, of which none is to be blocked.
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
        // The gate is asked in any case: the thread may begin when the moment has come and this value
        // has gone.
        repeat {
          let delay = Int(Self.delay(until: end) ?? 0)
          guard gate.wait(timeout: .now() + .milliseconds(delay)) == .timedOut else { return }
        } while Self.delay(until: end) != nil
        body()
      }
      if (try? DedicatedThread.run(wait)) == nil {
        // Without a descriptor and without a thread nobody can wait: it is as if the time had come.
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

  /// Returns at a moment, or when the task is cancelled.
  package static func wait(until end: ContinuousClock.Instant) async {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    let pause = Pause(until: end) { continuation.finish() }
    for await _ in signals {}
    withExtendedLifetime(pause) {}
  }

  /// The milliseconds until then, rounded up, as far as they are set at once; `nil` once it has come.
  private static func delay(until end: ContinuousClock.Instant) -> Int32? {
    let rest = min(ContinuousClock.now.duration(to: end), longest)
    guard rest > .zero else { return nil }
    let (seconds, attoseconds) = rest.components
    return Int32(seconds) * 1000 + Int32(attoseconds / 1_000_000_000_000_000) + 1
  }
}

package import AccessModel
internal import CLinux
internal import Dispatch
internal import Glibc

/// A one-shot timer that uses the event loop instead of libdispatch.
///
/// libdispatch starts threads for its pool. It terminates the program if procfs is not mounted or
/// if descriptors are exhausted (`_dispatch_workq_count_runnable_workers` and
/// `_dispatch_epoll_init`).
package final class OneShotTimer: Sendable {
  private let alarm: RestartableTimer?
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
    self.init(until: end, body) { (body) throws(Errno) in try RestartableTimer(body) }
  }

  init(
    until end: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void,
    alarm make: (_ body: @escaping @Sendable () -> Int32?) throws(Errno) -> RestartableTimer
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
    let pause = OneShotTimer(until: end) { continuation.finish() }
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

/// A timer on the event loop that can be started repeatedly.
package final class RestartableTimer: Sendable {
  private let source: DescriptorSource
  private let registration: WatchRegistration

  /// Creates the descriptor of an inactive timer.
  ///
  /// - Throws: `EMFILE` if no descriptor is available, or the error that a seccomp filter returns.
  static func descriptor() throws(Errno) -> OwnedDescriptor {
    try OwnedDescriptor(negated: clinux_alarm())
  }

  /// Creates an inactive timer.
  ///
  /// - Parameter body: Called on the event loop's thread when the timer fires. It returns the delay
  ///   in milliseconds until the next call, or `nil` for no further call.
  /// - Throws: `EMFILE` if no descriptor is available, the error that a seccomp filter returns, or
  ///   an error thrown by ``EventLoop/watch(_:)``.
  package init(_ body: @escaping @Sendable () -> Int32?) throws(Errno) {
    source = DescriptorSource(
      try Self.descriptor(), interest: CLINUX_READABLE
    ) { descriptor, _ in
      var count: UInt64 = 0
      _ = unsafe read(descriptor, &count, 8)
      if let delay = body() { clinux_set_alarm(descriptor, delay) }
      return true
    }
    registration = try EventLoop.shared.watch(source)
  }

  /// Starts the timer, or restarts it.
  ///
  /// - Parameter delay: The delay in milliseconds.
  package func start(after delay: Int32) { clinux_set_alarm(source.descriptor, delay) }

  package func end() { registration.cancel() }
}

/// A periodic timer, for changes that cause no event.
package enum PollTimer {
  /// Returns a source that calls a closure after each interval, which is at least one millisecond.
  ///
  /// - Throws: `EMFILE` if no descriptor is available, or the error that a seccomp filter returns.
  package static func source(
    every interval: Duration, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) -> DescriptorSource {
    let (seconds, attoseconds) = max(interval, .milliseconds(1)).components
    let timer = try OwnedDescriptor(
      negated: clinux_timer(Int(clamping: seconds), Int(attoseconds / 1_000_000_000)))
    return DescriptorSource(timer, interest: CLINUX_READABLE) { descriptor, _ in
      var count: UInt64 = 0
      _ = unsafe read(descriptor, &count, 8)
      body()
      return true
    }
  }
}

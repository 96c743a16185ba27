import AccessModel
import LinuxTestSupport
import Synchronization
import Testing

@testable import LinuxDevices

@Suite(.timeLimit(.minutes(5))) struct `A pause` {
  /// The failures to create an alarm: none, no thread, and no descriptor.
  static let failures: [Errno?] = [nil, .tryAgain, .tooManyFiles]

  private static func pause(
    _ failure: Errno?, until end: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void
  ) -> OneShotTimer {
    OneShotTimer(until: end, body) { (body) throws(Errno) in
      if let failure { throw failure }
      return try RestartableTimer(body)
    }
  }

  @Test(arguments: failures) func `ends at its moment, once`(_ failure: Errno?) async throws {
    let moments = Mutex<[ContinuousClock.Instant]>([])
    let end = ContinuousClock.now.advanced(by: .milliseconds(30))
    let pause = Self.pause(failure, until: end) { moments.withLock { $0.append(.now) } }
    #expect(await eventually { moments.withLock { !$0.isEmpty } })
    try await Task.sleep(for: .milliseconds(60))
    withExtendedLifetime(pause) {}
    let all = moments.withLock { $0 }
    #expect(all.count == 1 && all.allSatisfy { $0 >= end })
  }

  @Test(arguments: failures) func `does nothing once it is gone`(_ failure: Errno?) async throws {
    let count = Mutex(0)
    for _ in 0..<20 {
      _ = Self.pause(failure, until: .now.advanced(by: .milliseconds(100))) {
        count.withLock { $0 += 1 }
      }
    }
    try await Task.sleep(for: .milliseconds(300))
    #expect(count.withLock { $0 } == 0)
  }
}

import DeviceAccessCommands
import Testing

@testable import LinuxDevices

@Suite struct `The program's executor` {
  @Test func `jobs from other threads are all run while watchers come and go`() async {
    await #expect(processExitsWith: .success) {
      let rounds = 2000
      let count = try await runAsProgram {
        var count = 0
        var registration: WatchRegistration?
        for round in 0..<rounds {
          if round % 3 == 0 {
            registration = try? EventLoop.shared.watch(
              try PollTimer.source(every: .milliseconds(1)) {})
          } else if round % 3 == 2 {
            registration?.cancel()
          }
          async let one = Task.detached { 1 }.value
          async let other = Task.detached {
            await Task.yield()
            return 1
          }.value
          count += await one + other
        }
        registration?.cancel()
        return count
      }
      #expect(count == 2 * rounds)
    }
  }

  @Test func `events arrive while there is nothing else to do`() async {
    await #expect(processExitsWith: .success) {
      let count = try await runAsProgram {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let source = try? PollTimer.source(every: .milliseconds(1)) { continuation.yield() }
        let registration = source.flatMap { try? EventLoop.shared.watch($0) }
        var count = 0
        for await _ in stream {
          count += 1
          if count == 20 { break }
        }
        registration?.cancel()
        return count
      }
      #expect(count == 20)
    }
  }
}

/// Runs an operation on a dedicated thread, as a program does.
///
/// While it runs, this thread serves every watcher of the process.
private func runAsProgram<Value: Sendable>(
  _ operation: @escaping @Sendable () async -> Value
) async throws -> Value {
  let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
  try DedicatedThread.run {
    continuation.yield(ProgramExecutor().run(operation))
  }
  for await value in stream { return value }
  throw CancellationError()
}

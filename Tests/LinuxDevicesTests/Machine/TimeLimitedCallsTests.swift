import AccessModel
import Dispatch
import Glibc
import Testing

@testable import LinuxDevices

@Suite struct `Calls that may never return` {
  private let calls = TimeLimitedCalls(waiting: .milliseconds(100))

  @Test func `return what they return, and throw what they throw`() throws {
    #expect(try calls.run { () throws(Errno) in 7 } == 7)
    #expect(throws: Errno.inputOutput) {
      try calls.run { () throws(Errno) -> Int in throw .inputOutput }
    }
  }

  @Test func `fail in time, and the next at once until the first has returned`() async throws {
    let gate = DispatchSemaphore(value: 0)
    #expect(throws: Errno.timedOut) {
      try calls.run { () throws(Errno) -> Int in
        gate.wait()
        return 1
      }
    }
    let start = ContinuousClock.now
    for _ in 0..<1000 {
      #expect(throws: Errno.timedOut) { try calls.run { () throws(Errno) in 2 } }
    }
    // Otherwise each call would wait as long as the first.
    #expect(start.duration(to: .now) < .seconds(50))
    gate.signal()
    for _ in 0..<1000 where (try? calls.run { () throws(Errno) in 3 }) == nil {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try calls.run { () throws(Errno) in 4 } == 4)
  }

  @Test func `of many threads that come late let the next ones through`() async throws {
    let calls = TimeLimitedCalls(waiting: .milliseconds(1))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<200 {
            _ = try? calls.run { () throws(Errno) in usleep(UInt32.random(in: 0..<2000)) }
          }
        }
      }
    }
    for _ in 0..<1000 where (try? calls.run { () throws(Errno) in 3 }) == nil {
      try await Task.sleep(for: .milliseconds(10))
    }
    let patient = TimeLimitedCalls(waiting: .seconds(60))
    #expect(try patient.run { () throws(Errno) in 4 } == 4)
  }

  /// An account service that does not answer in time.
  private struct SilentSource: AccountSource, Sendable {
    func user(_ id: UInt32) throws(Errno) -> AccountFile.Line? { wait() }
    func user(named name: String) throws(Errno) -> AccountFile.Line? { wait() }
    func groupName(_ id: UInt32) throws(Errno) -> String? { wait() }
    func groupID(named name: String) throws(Errno) -> UInt32? { wait() }
    func loginGroups(of user: AccountFile.Line) -> [UInt32]? { wait() }

    private func wait<Value>() -> Value? {
      sleep(5)
      return nil
    }
  }

  @Test func `to a service of accounts that does not answer are told as that`() {
    let source = TimeLimitedAccountSource(SilentSource(), calls: calls)
    #expect(throws: Errno.timedOut) { try source.user(1) }
    #expect(throws: Errno.timedOut) { try source.groupName(1) }
    let line = AccountFile.Line(name: "x", id: 1, group: 1, home: nil)
    #expect(source.loginGroups(of: line) == nil)
  }
}

import Glibc
import Synchronization
import Testing

@testable import LegoSecrets

@Suite struct `Threads that may block` {
  @Test func `are at most as many as was said, and run everything`() async throws {
    let threads = BlockingThreads(limit: 3)
    let box = Counters()
    await withTaskGroup { group in
      for _ in 0..<300 {
        group.addTask {
          _ = try? await threads.answer { () throws(SecretFailure) in box.pass() }
        }
      }
    }
    #expect(box.passed == 300)
    #expect(box.most <= 3)
  }

  @Test func `let a call that waits for one go after its time`() async throws {
    let threads = BlockingThreads(limit: 1)
    let gate = Gate()
    let blocked = Task { try? await threads.answer { () throws(SecretFailure) in gate.wait() } }
    #expect(await eventually { gate.isReached })
    let outcome: SecretCode?
    do throws(SecretFailure) {
      _ = try await threads.answer(within: .milliseconds(5)) { () throws(SecretFailure) in
        Issue.record("it ran all the same")
      }
      outcome = nil
    } catch {
      outcome = error.code
    }
    #expect(outcome == .timedOut)
    gate.open()
    await blocked.value
    // The thread is free again.
    _ = try await threads.answer { () throws(SecretFailure) in }
  }

  @Test func `tell a call's end once, whoever is first`() async {
    let threads = BlockingThreads(limit: 2)
    for round in 0..<500 {
      let task = Task { () -> SecretCode? in
        do throws(SecretFailure) {
          _ = try await threads.answer(within: .milliseconds(round % 2)) {
            () throws(SecretFailure) in
          }
          return nil
        } catch {
          return error.code
        }
      }
      if round % 3 == 0 { task.cancel() }
      let code = await task.value
      #expect([nil, .timedOut, .cancelled].contains(code))
    }
  }
}

/// How many threads are in one place.
private final class Counters: Sendable {
  private let state = Mutex((here: 0, most: 0, passed: 0))

  var passed: Int { state.withLock { $0.passed } }
  var most: Int { state.withLock { $0.most } }

  func pass() {
    state.withLock {
      $0.here += 1
      $0.most = max($0.most, $0.here)
    }
    for _ in 0..<1_000 { _ = state.withLock { $0.here } }
    state.withLock {
      $0.here -= 1
      $0.passed += 1
    }
  }
}

/// What a thread waits at.
private final class Gate: Sendable {
  private let state = Mutex((isReached: false, isOpen: false))

  var isReached: Bool { state.withLock { $0.isReached } }

  func open() { state.withLock { $0.isOpen = true } }

  func wait() {
    state.withLock { $0.isReached = true }
    while !state.withLock({ $0.isOpen }) { usleep(1_000) }
  }
}

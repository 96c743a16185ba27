import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import MachineSamples
import Synchronization
import Testing

/// A machine that changes between the scan of an object and the kernel's own answer, a given number
/// of times.
private final class RestlessMachine: MachineWrapper {
  let machine = InMemoryMachine.twoSessions()
  var wrapped: any Machine { machine }
  private let changes = Mutex(0)
  let scans = Mutex(0)

  func contradict(_ count: Int) { changes.withLock { $0 = count } }

  func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    var facts = try machine.facts(for: question)
    scans.withLock { $0 += 1 }
    let isContradicted = changes.withLock { count in
      defer { count = max(count - 1, 0) }
      return count > 0
    }
    if isContradicted {
      let request = facts.access.request
      facts.kernelChecks = [
        KernelCheck(
          path: request.path, mode: request.permissions, errno: .permissionDenied)
      ]
    }
    return facts
  }
}

@Suite(.timeLimit(.minutes(5))) struct `An answer that the kernel contradicts` {
  private let machine = RestlessMachine()

  private func changes() -> AnswerChanges.Iterator {
    DeviceService(machine: machine).changes(to: [Question(.kind(.camera))]).makeAsyncIterator()
  }

  @Test func `is looked at once more before it is told`() async throws {
    machine.contradict(1)
    var changes = changes()
    #expect(try await changes.next()?.explanation.answer == .allowed)

    // A change to the device wakes the watch, but does not change the answer.
    let scans = machine.scans.withLock(\.self)
    machine.contradict(1)
    machine.machine.change { $0.setACL("/dev/video0", user: "bob", .read) }
    async let script: Void = {
      while machine.scans.withLock(\.self) < scans + 2 {
        try await Task.sleep(for: .milliseconds(1))
      }
      machine.machine.change { $0.removeDevice("/dev/video0") }
    }()
    let change = try #require(try await changes.next())
    try await script
    #expect(change.explanation.answer == .absent && change.before?.answer == .allowed)
  }

  @Test func `is told where it stays so`() async throws {
    var changes = changes()
    #expect(try await changes.next()?.explanation.answer == .allowed)
    machine.contradict(.max)
    machine.machine.change { $0.setACL("/dev/video0", user: "bob", .read) }
    let doubt = try #require(try await changes.next())
    #expect(doubt.explanation.answer == .undetermined && doubt.explanation.disagreement != nil)
    machine.contradict(0)
    machine.machine.change { $0.setACL("/dev/video0", user: "bob", [.read, .write]) }
    #expect(try await changes.next()?.explanation.answer == .allowed)
  }
}

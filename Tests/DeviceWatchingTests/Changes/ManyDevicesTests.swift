import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import Synchronization
import Testing

@testable import DeviceWatching

/// A machine that records the processor time of each scan.
private final class TimedMachine: MachineWrapper {
  let memory: InMemoryMachine
  let scans = Mutex<[Duration]>([])

  init(_ memory: InMemoryMachine) { self.memory = memory }

  var wrapped: any Machine { memory }

  func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    let start = ThreadTime.now
    defer { scans.withLock { $0.append(ThreadTime.now - start) } }
    return try memory.facts(for: question)
  }
}

@Suite(.timeLimit(.minutes(2))) struct `A watch of many devices` {
  private static let count = 200

  /// Each scan is charged according to the number of nodes of 200 cameras, with a credit of ten
  /// seconds.
  @Test func `leaves the processor to others while one after the other changes`() async throws {
    let machine = TimedMachine(
      InMemoryMachine {
        $0.addUser("alice", id: 1000)
        for number in 0..<Self.count { $0.addCamera(number) }
        $0.run(as: "alice")
      })
    let service = DeviceService(machine: machine)
    let start = ContinuousClock.now
    let storm = Task.detached {
      var number = 0
      while start.duration(to: .now) < .seconds(4) {
        let path = "/dev/video\(number % Self.count)"
        machine.memory.change { $0.setMode(number / Self.count % 2 == 0 ? 0o600 : 0o660, of: path) }
        number += 1
        try? await Task.sleep(for: .milliseconds(5))
      }
      machine.memory.change {
        for number in 0..<Self.count { $0.setMode(0o666, of: "/dev/video\(number)") }
      }
    }
    var changes = service.changes(to: [Question(.kind(.camera))]).makeAsyncIterator()
    while let change = try await changes.next() {
      if change.explanation.answer == .allowed { break }
    }
    let elapsed = start.duration(to: .now)
    let scans = machine.scans.withLock { $0 }
    await storm.value
    var cost = Duration.zero
    for scan in scans.dropLast() {
      let ofMany = scan * (Self.count / ScanBudget.objectsForOne)
      cost += max(scan * ScanBudget.share, min(ofMany, ScanBudget.longestRest))
    }
    #expect(cost <= elapsed + .seconds(11))
  }
}

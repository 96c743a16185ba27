import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import MachineSamples
import Synchronization
import Testing

/// A machine where logind revokes a device before it reports the new active user.
private final class SwitchingMachine: MachineWrapper {
  struct Step {
    var hasNoEntry = false
    var isSwitching = false
  }

  let machine = InMemoryMachine.twoSessions()
  var wrapped: any Machine { machine }
  private let step = Mutex(Step())
  let scans = Mutex(0)
  /// The number of queries for a switch in progress.
  let asks = Mutex(0)

  func set(_ step: Step, _ change: (inout MachineDescription) -> Void = { _ in }) {
    self.step.withLock { $0 = step }
    machine.change(change)
  }

  func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    var facts = try machine.facts(for: question)
    if step.withLock(\.hasNoEntry) {
      for index in facts.access.nodes.indices { facts.access.nodes[index].acl = nil }
      facts.kernelChecks = []
    }
    scans.withLock { $0 += 1 }
    return facts
  }

  func watch(_ targets: [Question.Target]) throws(DeviceError) -> any MachineWatch {
    Watch(of: self, try machine.watch(targets))
  }

  private final class Watch: MachineWatch {
    private let machine: SwitchingMachine
    private let watch: any MachineWatch

    init(of machine: SwitchingMachine, _ watch: any MachineWatch) {
      (self.machine, self.watch) = (machine, watch)
    }

    var signals: AsyncStream<Void> { watch.signals }

    func isSwitchingSessions(since facts: AccessFacts) -> Bool {
      defer { machine.asks.withLock { $0 += 1 } }
      return machine.step.withLock(\.isSwitching)
    }

    func cover(_ facts: [Int: AccessFacts], pollingEvery interval: Duration) -> WatchCoverage {
      watch.cover(facts, pollingEvery: interval)
    }

    func wake() { watch.wake() }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A switch of sessions` {
  private let machine = SwitchingMachine()

  private func changes() -> AnswerChanges.Iterator {
    DeviceService(machine: machine).changes(to: [Question(.kind(.camera))]).makeAsyncIterator()
  }

  /// Waits for another query for a switch in progress, which follows a scan.
  private static func scan(at machine: SwitchingMachine, _ change: () -> Void) async throws {
    let before = machine.asks.withLock(\.self)
    change()
    while machine.asks.withLock(\.self) == before { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func `is told once, with its reason`() async throws {
    var changes = changes()
    #expect(try await changes.next()?.explanation.answer == .allowed)
    let machine = machine
    async let script: Void = {
      try await Self.scan(at: machine) { machine.set(.init(hasNoEntry: true, isSwitching: true)) }
      machine.set(.init()) { $0.activateSession(of: "bob") }
    }()
    let change = try #require(try await changes.next())
    try await script
    #expect(change.explanation.cause?.code == .uaccessNotActive)
    #expect(change.before?.answer == .allowed)
    #expect(change.differences.map(\.code).contains(.seat))
  }

  @Test func `is told once also after one that changed nothing`() async throws {
    var changes = changes()
    #expect(try await changes.next()?.explanation.answer == .allowed)
    let machine = machine
    async let script: Void = {
      try await Self.scan(at: machine) { machine.set(.init(hasNoEntry: true, isSwitching: true)) }
      machine.set(.init())
      // Longer than a switch takes.
      try await Task.sleep(for: .milliseconds(700))
      try await Self.scan(at: machine) { machine.set(.init(hasNoEntry: true, isSwitching: true)) }
      machine.set(.init()) { $0.activateSession(of: "bob") }
    }()
    let change = try #require(try await changes.next())
    try await script
    #expect(change.explanation.cause?.code == .uaccessNotActive)
  }

  @Test func `that does not end is not waited for`() async throws {
    var changes = changes()
    #expect(try await changes.next()?.explanation.answer == .allowed)
    machine.set(.init(hasNoEntry: true, isSwitching: true))
    let start = ContinuousClock.now
    #expect(try await changes.next()?.explanation.cause?.code == .aclAbsent)
    #expect(start.duration(to: .now) >= .milliseconds(500))
  }

  @Test func `is not waited for where none goes on`() async throws {
    var changes = changes()
    #expect(try await changes.next()?.explanation.answer == .allowed)
    machine.set(.init(hasNoEntry: true))
    #expect(try await changes.next()?.explanation.cause?.code == .aclAbsent)
    #expect(machine.scans.withLock(\.self) == 2)
  }
}

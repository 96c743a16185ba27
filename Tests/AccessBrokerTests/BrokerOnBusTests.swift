import AccessBroker
import AccessModel
import Foundation
import Glibc
import LinuxDevices
import LinuxTestSupport
import MessageBus
import Synchronization
import Testing

/// The broker on a real bus, with a simulated polkit.
@Suite(.requiresBus, .timeLimit(.minutes(5))) struct `A broker on a bus` {
  @Test(arguments: [
    (Permissions([.read, .write]), O_RDWR), (.read, O_RDONLY), (.write, O_WRONLY),
  ])
  func `hands the open device over once polkit says yes`(
    wanted: Permissions, mode: Int32
  ) async throws {
    let bus = try PrivateBus()
    let system = try await BrokerBus(bus, .yes)
    #expect(system.broker.isAvailable)
    let reply = await system.broker.open(BrokerBus.request(wanted: wanted))
    let outcome = reply.outcome
    #expect(outcome == .granted)
    let opened = reply.takeDescriptor()?.release()
    let number = try #require(opened)
    defer { close(number) }
    var status = stat()
    #expect(unsafe fstat(number, &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFCHR)
    #expect(status.st_rdev == 0x103)
    #expect(fcntl(number, F_GETFL) & (O_ACCMODE | O_NONBLOCK) == mode | O_NONBLOCK)
    #expect(fcntl(number, F_GETFD) == FD_CLOEXEC)
    #expect(system.lines.all.count == 1)
    #expect(system.lines.all[0].hasPrefix("opened /dev/null "))
    #expect(system.lines.all[0].contains("for user \(geteuid()), process \(getpid()) '"))
  }

  @Test func `asks polkit about its caller, the kind, and a name that is safe to show`()
    async throws
  {
    let bus = try PrivateBus()
    let system = try await BrokerBus(bus, .yes)
    _ = await system.outcome()
    let question = try #require(system.authority?.questions.first)
    #expect(question.signature == "(sa{sv})sa{ss}us")
    let subject = question.arguments[0].elements
    #expect(subject?.first?.text == "system-bus-name")
    let caller = subject?.last?[key: "name"]?.text
    #expect(caller?.hasPrefix(":1.") == true)
    #expect(system.lines.all[0].contains(caller ?? "?"))
    #expect(question.arguments[1].text == "org.devaccess.broker.open-camera")
    #expect(question.arguments[2][key: "device"]?.text == "/dev/null")
    let name = question.arguments[2][key: "device-name"]?.text
    #expect(name == "Nothing ?b??(x)?/b???2J")
    let comm = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8).dropLast()
    #expect(question.arguments[2][key: "program"]?.text == "process \(getpid()) '\(comm)'")
    #expect(question.arguments[3].unsigned == 1)
  }

  @Test(arguments: [
    (TestAuthority.Conduct.no, BrokerOutcome.refused),
    (.challenge, .absent("no polkit agent is running that could ask the user")),
    (.dismissed, .dismissed), (.error, .absent("polkit cannot be asked: it failed")),
    (.nonsense, .absent("polkit cannot be asked: polkit sent an invalid reply")),
    (.wrongTypes, .absent("polkit cannot be asked: polkit sent an invalid reply")),
  ])
  func `hands nothing over without a yes`(
    conduct: TestAuthority.Conduct, outcome: BrokerOutcome
  ) async throws {
    let bus = try PrivateBus()
    let system = try await BrokerBus(bus, conduct)
    #expect(await system.outcome() == outcome)
    #expect(system.lines.all.map { String($0.prefix(23)) } == ["did not open /dev/null "])
    system.authority?.with { $0.conduct = .yes }
    #expect(await system.outcome() == .granted)
  }

  @Test(arguments: [TestAuthority.Conduct?.none, .crash])
  func `hands nothing over where polkit is not there, or goes away`(
    conduct: TestAuthority.Conduct?
  ) async throws {
    let bus = try PrivateBus()
    let system = try await BrokerBus(bus, conduct)
    for _ in 0..<2 {
      guard case .absent = await system.outcome() else {
        Issue.record("\(system.lines.all)")
        return
      }
    }
    #expect(system.broker.isAvailable)
  }

  @Test func `is not there on a bus without it`() async throws {
    let bus = try PrivateBus()
    let broker = SystemBroker(address: .at(bus.address))
    #expect(!broker.isAvailable)
    let outcome = await broker.open(BrokerBus.request()).outcome
    guard case .absent = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let none = SystemBroker(address: .at("unix:path=/nowhere/bus"))
    #expect(!none.isAvailable)
    #expect(
      await none.open(BrokerBus.request()).outcome
        == .absent("there is no message bus of the system"))
  }

  @Test func `takes the question back when nobody answers it`() async throws {
    let bus = try PrivateBus()
    var limits = BrokerLimits()
    limits.patience = .milliseconds(50)
    let system = try await BrokerBus(bus, .never, limits: limits)
    #expect(await system.outcome() == .timedOut)
    #expect(await eventually { system.authority?.cancelled.count == 1 })
    #expect(system.authority?.cancelled == system.authority?.questions.map { $0.arguments[4].text })
  }

  @Test func `takes the question back when the caller is gone`() async throws {
    let bus = try PrivateBus()
    let system = try await BrokerBus(bus, .never)
    // One request times out, and another one is cancelled.
    #expect(await system.outcome(BrokerBus.request(timeout: .milliseconds(300))) == .timedOut)
    #expect(await eventually { system.authority?.cancelled.count == 1 })
    let task = Task { await system.outcome() }
    #expect(await eventually { system.authority?.questions.count == 2 })
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(await eventually { system.authority?.cancelled.count == 2 })
    #expect(system.lines.all.allSatisfy { $0.hasSuffix("the caller is gone") })
    system.authority?.with { $0.conduct = .yes }
    #expect(await system.outcome() == .granted)
  }

  @Test func `ends when nobody asks, and leaves its name to another`() async throws {
    let bus = try PrivateBus()
    var limits = BrokerLimits()
    limits.idleTime = .milliseconds(300)
    let system = try await BrokerBus(bus, .yes, limits: limits)
    #expect(await eventually { system.brokerHasEnded })
    #expect(!system.broker.isAvailable)
    let other = try await BrokerBus(bus, nil)
    #expect(other.broker.isAvailable)
    #expect(throws: BusFailure(errno: EEXIST)) {
      _ = try BusService(
        BrokerCalls.name, on: .at(bus.address), rules: [], limits: BrokerProgram.limits)
    }
  }
}

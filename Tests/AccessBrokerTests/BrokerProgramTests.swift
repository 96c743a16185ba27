import AccessBroker
import LinuxDevices
import LinuxTestSupport
import MessageBus
import Testing

/// The built program, which uses a private bus as the system bus.
@Suite(.requiresBus, .timeLimit(.minutes(5))) struct `The program devaccess-broker` {
  private func start(_ bus: PrivateBus, _ arguments: String...) throws -> StartedProgram {
    let program = try #require(BuiltProgram.path("devaccess-broker"))
    return try StartedProgram(
      [program] + arguments,
      environment: ["PATH=/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS=\(bus.address)"])
  }

  @Test func `serves its name, and opens no device of another kind`() async throws {
    let bus = try PrivateBus()
    let program = try start(bus)
    let broker = SystemBroker(address: .at(bus.address))
    #expect(await eventually { broker.isAvailable })
    let outcome = await broker.open(BrokerBus.request()).outcome
    #expect(outcome == .unsuitable("this path has no device that the broker opens"))
    // The bus name already has an owner.
    let second = try start(bus)
    #expect(second.end() == 70)
    bus.stop()
    #expect(program.end() == 70)
  }

  @Test func `answers the call that has the bus start it`() async throws {
    let program = try #require(BuiltProgram.path("devaccess-broker"))
    let bus = try PrivateBus { path in
      [
        "broker.service": """
        [D-BUS Service]
        Name=\(BrokerCalls.name)
        Exec=/usr/bin/env DBUS_SYSTEM_BUS_ADDRESS=unix:path=\(path)/bus \(program)
        """
      ]
    }
    // The bus delivers the call before it confirms that the broker owns the name.
    let outcome = await SystemBroker(address: .at(bus.address))
      .open(BrokerBus.request(timeout: .seconds(20))).outcome
    #expect(outcome == .unsuitable("this path has no device that the broker opens"))
  }

  @Test func `takes no arguments, and needs the bus`() throws {
    let bus = try PrivateBus()
    #expect(try start(bus, "--help").end() == 64)
    bus.stop()
    #expect(try start(bus).end() == 70)
  }
}

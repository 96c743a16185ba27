import Glibc
import LinuxTestSupport
import Synchronization
import Testing

@testable import MessageBus

/// Uses real connections to a real bus.
@Suite(.requiresBus, .timeLimit(.minutes(5))) struct `A client of a bus` {
  private static let path = "/test"
  private static let interface = "test.Echo"
  private static let long = Duration.seconds(100)

  /// Returns a client that answers with the first argument, and its unique name on the bus.
  private func echo(_ bus: PrivateBus) async throws -> (client: BusClient, name: String) {
    let client = try BusClient(.at(bus.address)) { call in
      switch call.arguments.first {
      case .text(let text): .values([.text(text)])
      case .unsigned(let number): .values([.unsigned(UInt32(truncatingIfNeeded: number))])
      default: .refusal("InvalidArgs", "nothing to answer with")
      }
    }
    return (client, try await name(client))
  }

  /// Returns the unique name of a client.
  private func name(_ client: BusClient) async throws -> String {
    let own = "test.Echo"
    _ = try await client.call(
      .bus("RequestName", [.text(own), .unsigned(4)]), within: Self.long)
    let owner = try await client.call(.bus("GetNameOwner", [.text(own)]), within: Self.long)
    return try #require(owner.values.first?.text)
  }

  private func call(_ name: String, _ arguments: BusArgument...) -> BusCall {
    BusCall(name, Self.path, Self.interface, "Echo", arguments)
  }

  @Test func `gets answers and errors of another`() async throws {
    let bus = try PrivateBus()
    let (server, name) = try await echo(bus)
    let client = try BusClient(.at(bus.address))
    let reply = try await client.call(call(name, .text("a ü")), within: Self.long)
    #expect(reply == BusReply(values: [.text("a ü")], sender: name))
    let refused = await #expect(throws: BusFailure.self) {
      try await client.call(call(name), within: Self.long)
    }
    #expect(refused?.name == "org.freedesktop.DBus.Error.InvalidArgs")
    #expect(refused?.description == "nothing to answer with")
    let missing = await #expect(throws: BusFailure.self) {
      try await client.call(call("no.such.name", .text("a")), within: Self.long)
    }
    #expect(missing?.name == "org.freedesktop.DBus.Error.ServiceUnknown")
    await server.close()
  }

  @Test func `writes structures, and numbers of 64 bits`() async throws {
    let bus = try PrivateBus()
    let seen = Mutex<BusIncoming?>(nil)
    let server = try BusClient(.at(bus.address)) { call in
      seen.withLock { $0 = call }
      return .values([])
    }
    let name = try await name(server)
    let client = try BusClient(.at(bus.address))
    let inner = BusArgument.array(of: "(st)", [.structure([.text("b"), .wide(.max)])])
    let properties = BusArgument.array(of: "(sv)", [.structure([.text("a"), .variant(inner)])])
    _ = try await client.call(call(name, properties), within: Self.long)
    let incoming = seen.withLock { $0 }
    #expect(incoming?.signature == "a(sv)")
    let numbers = BusValue.list([.list([.text("b"), .unsigned(.max)])])
    #expect(incoming?.arguments == [.list([.list([.text("a"), numbers])])])
    await server.close()
  }

  @Test func `reads and writes values of every type that it has`() async throws {
    let bus = try PrivateBus()
    let seen = Mutex<BusIncoming?>(nil)
    let server = try BusClient(.at(bus.address)) { call in
      seen.withLock { $0 = call }
      return .values([])
    }
    let name = try await name(server)
    let client = try BusClient(.at(bus.address))
    let dictionary = BusArgument.dictionary(["a": .boolean(true), "b": nil, "c": .texts(["d"])])
    _ = try await client.call(
      call(
        name, .text(""), .signed(-1), .unsigned(.max), .variant(.variant(.text("v"))), dictionary),
      within: Self.long)
    let incoming = try #require(seen.withLock { $0 })
    #expect(incoming.signature == "siuva{sv}")
    #expect(
      incoming.arguments == [
        .text(""), .signed(-1), .unsigned(UInt64(UInt32.max)), .text("v"),
        .list([
          .list([.text("a"), .boolean(true)]), .list([.text("c"), .list([.text("d")])]),
        ]),
      ])
    #expect(incoming.arguments.last?[key: "c"]?.texts == ["d"])
    #expect(incoming.arguments.last?[key: "b"] == nil)
    await server.close()
  }

  @Test func `refuses what is more than it reads, and reads on`() async throws {
    let bus = try PrivateBus()
    let (server, name) = try await echo(bus)
    let client = try BusClient(.at(bus.address))
    let many = BusArgument.texts([String](repeating: "a", count: 5_000))
    let deep = (0..<12).reduce(BusArgument.text("a")) { value, _ in .variant(value) }
    for large in [many, deep] {
      let failure = await #expect(throws: BusFailure.self) {
        try await client.call(call(name, large), within: Self.long)
      }
      #expect(failure?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
    }
    // A text that is too long is read as a value of another type.
    let long = BusArgument.text(String(repeating: "a", count: 1 << 20))
    let failure = await #expect(throws: BusFailure.self) {
      try await client.call(call(name, long), within: Self.long)
    }
    #expect(failure?.name == "org.freedesktop.DBus.Error.InvalidArgs")
    #expect(try await client.call(call(name, .text("b")), within: Self.long).values == [.text("b")])
    await server.close()
  }

  @Test func `tells of a signal that is more than it reads, without what it holds`() async throws {
    let bus = try PrivateBus()
    let (reported, tell) = AsyncStream.makeStream(of: BusIncoming.self)
    let client = try BusClient(
      .at(bus.address), limits: BusLimits(text: 4_096, values: 2, depth: 8)
    ) { signal in
      if signal.member == "NameOwnerChanged" { tell.yield(signal) }
      return .values([])
    }
    _ = try await client.call(
      .bus("AddMatch", [.text("type='signal',member='NameOwnerChanged'")]), within: Self.long)
    // The bus reports the name, its old owner and its new owner as three strings.
    _ = try await client.call(
      .bus("RequestName", [.text("a.b"), .unsigned(4)]), within: Self.long)
    let signal = await reported.first { _ in true }
    #expect(signal?.isSignal == true)
    #expect(signal?.sender == "org.freedesktop.DBus")
    #expect(signal?.signature == "sss")
    #expect(signal?.arguments == [])
  }

  @Test func `writes bytes`() async throws {
    let bus = try PrivateBus()
    let seen = Mutex<BusIncoming?>(nil)
    let server = try BusClient(.at(bus.address)) { call in
      seen.withLock { $0 = call }
      return .values([])
    }
    let name = try await name(server)
    let client = try BusClient(.at(bus.address))
    _ = try await client.call(
      call(name, .bytes([0x2F, 0xFF, 0]), .variant(.bytes([]))), within: Self.long)
    let incoming = seen.withLock { $0 }
    #expect(incoming?.signature == "ayv")
    #expect(
      incoming?.arguments == [
        .list([.unsigned(0x2F), .unsigned(0xFF), .unsigned(0)]), .list([]),
      ])
    await server.close()
  }

  @Test func `does not send what cannot be a message`() async throws {
    let bus = try PrivateBus()
    let client = try BusClient(.at(bus.address))
    for bad in [
      call("no name", .text("a")), call("a.b", .text("a\0b")),
      BusCall("a.b", "no path", Self.interface, "Echo"),
    ] {
      let failure = await #expect(throws: BusFailure.self) {
        try await client.call(bad, within: Self.long)
      }
      #expect(failure?.errno == EINVAL)
    }
    #expect(try await client.call(.bus("GetId", []), within: Self.long).values.count == 1)
  }

  @Test func `gets each of many answers where it belongs`() async throws {
    let bus = try PrivateBus()
    let (server, name) = try await echo(bus)
    let client = try BusClient(.at(bus.address))
    let right = await withTaskGroup(of: Int.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var right = 0
          for round in 0..<100 {
            let number = UInt32(worker * 1_000 + round)
            let reply = try? await client.call(
              self.call(name, .unsigned(number)), within: Self.long)
            if reply?.values == [.unsigned(UInt64(number))] { right += 1 }
          }
          return right
        }
      }
      return await group.reduce(0, +)
    }
    #expect(right == 800)
    await server.close()
  }

  @Test func `notes an answer before it receives what came later`() async throws {
    let bus = try PrivateBus()
    let order = Mutex<[String]>([])
    let client = try BusClient(.at(bus.address)) { signal in
      if signal.member == "NameOwnerChanged" { order.withLock { $0.append("signal") } }
      return .values([])
    }
    _ = try await client.call(
      .bus("AddMatch", [.text("type='signal',member='NameOwnerChanged'")]), within: Self.long)
    for round in 0..<100 {
      // The bus sends both the answer and a signal; the test accepts them in either order.
      order.withLock { $0 = [] }
      let call = BusCall.bus(
        round.isMultiple(of: 2) ? "RequestName" : "ReleaseName",
        round.isMultiple(of: 2) ? [.text("a.b"), .unsigned(4)] : [.text("a.b")])
      let after = BusCall.bus("GetId", [])
      _ = try await client.call(call, within: Self.long) { _ in
        order.withLock { $0.append("noted") }
      }
      _ = try await client.call(after, within: Self.long)
      #expect(Set(order.withLock { $0 }) == ["signal", "noted"])
    }
  }

  @Test func `is told at once that there is no bus`() async throws {
    let client = try BusClient(.at("unix:path=/nowhere/bus"))
    let failure = await #expect(throws: BusFailure.self) {
      try await client.call(.bus("GetId", []), within: Self.long)
    }
    #expect(failure?.errno == ENOENT)
    #expect(await client.ended().errno == ENOENT)
    // Only sockets are tried: sd-bus runs a program if the address names one.
    for address in [
      "no address", "unixexec:path=/bin/true", "unix:path=/nowhere;unixexec:path=/bin/true",
    ] {
      let failed = await #expect(throws: BusFailure.self) {
        let bad = try BusClient(.at(address))
        throw await bad.ended()
      }
      #expect(failed?.errno == EPROTONOSUPPORT, "\(address)")
    }
  }

  @Test func `waits for no longer than it was told, and can be closed and cancelled meanwhile`()
    async throws
  {
    let silent = try SilentBus()
    let client = try BusClient(.at(silent.address))
    let failure = await #expect(throws: BusFailure.self) {
      try await client.call(.bus("GetId", []), within: .milliseconds(20))
    }
    #expect(failure == .timedOut)
    let waiting = Task {
      do throws(BusFailure) {
        _ = try await client.call(.bus("GetId", []), within: Self.long)
        return nil as BusFailure?
      } catch { return error }
    }
    let onlooker = Task { await client.ended() }
    waiting.cancel()
    onlooker.cancel()
    #expect(await waiting.value == .cancelled)
    #expect(await onlooker.value == .cancelled)
    await client.close()
    #expect(await client.ended() == .closed)
    let late = await #expect(throws: BusFailure.self) {
      try await client.call(.bus("GetId", []), within: Self.long)
    }
    #expect(late == .closed)
  }

  @Test func `is told that the bus went away`() async throws {
    let bus = try PrivateBus()
    let (server, name) = try await echo(bus)
    let client = try BusClient(.at(bus.address))
    #expect(try await client.call(call(name, .text("a")), within: Self.long).values == [.text("a")])
    bus.stop()
    let failure = await client.ended()
    #expect(failure != .closed && failure != .cancelled)
    let late = await #expect(throws: BusFailure.self) {
      try await client.call(call(name, .text("a")), within: Self.long)
    }
    #expect(late == failure)
    _ = await server.ended()
  }

  @Test func `closes its sockets with the last reference`() async throws {
    let bus = try PrivateBus()
    let watcher = try BusClient(.at(bus.address))
    for _ in 0..<50 {
      _ = try await BusClient(.at(bus.address)).call(.bus("GetId", []), within: Self.long)
    }
    // The bus knows which clients are connected, regardless of this process's other descriptors.
    var connections: [String] = []
    for _ in 0..<10_000 where connections.count != 1 {
      let names = try await watcher.call(.bus("ListNames", []), within: Self.long)
      connections = names.values.first?.texts?.filter { $0.hasPrefix(":") } ?? []
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(connections.count == 1)
  }
}

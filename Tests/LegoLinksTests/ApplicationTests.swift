import Glibc
import LegoKit
import LegoSamples
import LinuxTestSupport
import MessageBus
import Synchronization
import Testing

@testable import LegoLinks

/// A program on a real bus, which another connection calls.
@Suite(.requiresBus, .timeLimit(.minutes(5))) struct `A program on the bus` {
  let bus: PrivateBus
  let reports = Reports()

  init() throws {
    bus = try PrivateBus()
  }

  private func program(
    _ address: String? = nil, times: ApplicationTimes = .patient
  ) throws -> DesktopApplication {
    try DesktopApplication(
      Calls.name, schemes: ["photos"], actions: ["newest": "photos:/picture/0"],
      bus: address ?? bus.address, times: times)
  }

  private func caller() throws -> BusClient { try BusClient(.at(bus.address)) }

  @Test func `gets links of its arguments, of the bus and of actions`() async throws {
    let program = try program()
    #expect(try await program.start(["-v", "photos:/picture/1"]) == .first)
    let lego = try Photos.store(program.arrivals)
    let caller = try caller()
    #expect(await caller.refusal(of: Calls.open("photos:/picture/2", "photos:/picture/3")) == nil)
    #expect(await caller.refusal(of: Calls.activate) == nil)
    #expect(
      await caller.refusal(of: Calls.action("open-link", .text("photos:/search?words=b"))) == nil)
    #expect(await caller.refusal(of: Calls.action("newest")) == nil)
    #expect(await eventually { lego.design.routes.count == 5 })
    #expect(
      lego.design
        == Photos.Design(
          routes: [.picture(1), .picture(2), .picture(3), .search("b"), .picture(0)], shown: 1))
    await lego.close()
    await program.close()
    #expect(await caller.refusal(of: Calls.activate) == "ServiceUnknown")
  }

  @Test func `gets those of its arguments first, whoever calls at once`() async throws {
    let address = bus.address
    for _ in 0..<40 {
      let calling = Task.detached {
        let caller = try BusClient(.at(address))
        // Until it answers, the name is nobody's.
        while await caller.refusal(of: Calls.open("photos:/picture/2")) != nil {}
        await caller.close()
      }
      let program = try program()
      try await Task.sleep(for: .milliseconds(2))
      #expect(try await program.start(["photos:/picture/1"]) == .first)
      try await calling.value
      await program.close()
      var arrived: [String?] = []
      for await arrival in program.arrivals { arrived.append(arrival.link) }
      try #require(arrived == ["photos:/picture/1", "photos:/picture/2"])
    }
  }

  @Test func `that the bus started says so`() async throws {
    let program = try program()
    #expect(try await program.start(["--gapplication-service"]) == .service)
    await program.close()
  }

  @Test func `hands its links to the one that runs, in order, and ends`() async throws {
    let first = try program()
    #expect(try await first.start([]) == .first)
    for number in 1...3 {
      let second = try program()
      #expect(try await second.start(["photos:/picture/\(number)"]) == .handedOver)
      var iterator = second.arrivals.makeAsyncIterator()
      #expect(await iterator.next() == nil)
    }
    let bare = try program()
    #expect(try await bare.start([]) == .handedOver)
    let service = try program()
    #expect(try await service.start(["--gapplication-service"]) == .handedOver)
    await first.close()
    var arrived: [String?] = []
    for await arrival in first.arrivals { arrived.append(arrival.link) }
    #expect(arrived == ["photos:/picture/1", "photos:/picture/2", "photos:/picture/3", nil])
    #expect(try await program().start([]) == .first)
  }

  @Test func `is one of many that start at the same time, and gets all their links`() async throws {
    let programs = try (0..<8).map { _ in try program() }
    let instances = try await withThrowingTaskGroup(of: (Int, DesktopApplication.Instance).self) {
      group in
      for (number, program) in programs.enumerated() {
        group.addTask { (number, try await program.start(["photos:/picture/\(number)"])) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    let first = try #require(instances.first { $0.value == .first }?.key)
    #expect(instances.values.count { $0 == .handedOver } == 7)
    await programs[first].close()
    var arrived: Set<String?> = []
    for await arrival in programs[first].arrivals { arrived.insert(arrival.link) }
    #expect(arrived == Set((0..<8).map { "photos:/picture/\($0)" }))
  }

  @Test func `answers bad calls with an error each, and goes on`() async throws {
    let program = try program()
    try await reports.during { _ = try await program.start([]) }
    let caller = try caller()
    let long = String(repeating: "a", count: 1 << 20)
    let bad: [(BusCall, String)] = [
      (Calls.program("Open", [.text("photos:/picture/1")]), "InvalidArgs"),
      (Calls.program("Open", []), "InvalidArgs"),
      (Calls.program("Open", [.texts([long]), .dictionary([:])]), "LimitsExceeded"),
      (
        Calls.program(
          "Open", [.texts([String](repeating: "photos:/", count: 65)), .dictionary([:])]),
        "LimitsExceeded"
      ),
      (
        Calls.program("Open", [.texts([String](repeating: "a", count: 2_000)), .dictionary([:])]),
        "LimitsExceeded"
      ),
      (Calls.action("open-link"), "InvalidArgs"),
      (Calls.action("open-link", .unsigned(1)), "InvalidArgs"),
      (Calls.action("open-link", .text(long)), "LimitsExceeded"),
      (Calls.action("other"), "InvalidArgs"), (Calls.program("Quit", []), "UnknownMethod"),
      (BusCall(Calls.name, "/", "org.freedesktop.Application", "Activate"), "UnknownObject"),
      (
        BusCall(Calls.name, "/org/example/Photos", "org.freedesktop.DBus.Properties", "GetAll"),
        "UnknownInterface"
      ),
    ]
    for (call, name) in bad { #expect(await caller.refusal(of: call) == name, "\(call.member)") }
    #expect(await caller.refusal(of: Calls.open("photos:/picture/9")) == nil)
    await program.close()
    var arrived: [String?] = []
    for await arrival in program.arrivals { arrived.append(arrival.link) }
    #expect(arrived == ["photos:/picture/9"])
    #expect(reports.lines.allSatisfy { $0.hasPrefix("org.example.Photos: a call from :") })
    #expect(reports.lines.count == 8, "\(reports.lines)")
  }

  @Test func `refuses links that nobody reads, once there are too many`() async throws {
    let program = try program()
    #expect(try await program.start([]) == .first)
    let caller = try caller()
    for _ in 0..<LinkInbox.capacity { program.arrivals.send(LinkArrival("photos:/picture/1")) }
    #expect(await caller.refusal(of: Calls.open("photos:/picture/2")) == "LimitsExceeded")
    let second = try self.program()
    let error = await #expect(throws: DesktopApplicationError.self) {
      try await second.start(["photos:/picture/3"])
    }
    #expect(error?.code == .notHandedOver)
    await program.close()
  }

  @Test func `hands over more links than a call has, and none that is too long`() async throws {
    let first = try program()
    _ = try await first.start([])
    let links = (0..<150).map { "photos:/picture/\($0)" }
    let long = "photos:/" + String(repeating: "a", count: LinkLimits.linkBytes)
    let second = try program()
    let instance = try await reports.during { try await second.start(links + [long]) }
    #expect(instance == .handedOver)
    await first.close()
    var arrived: [String?] = []
    for await arrival in first.arrivals { arrived.append(arrival.link) }
    #expect(arrived == links)
    #expect(
      reports.lines == [
        "org.example.Photos: links of more than 65536 bytes among the arguments are ignored"
      ])
  }

  @Test func `starts once, and not after its end`() async throws {
    let program = try program()
    _ = try await program.start([])
    let again = await #expect(throws: DesktopApplicationError.self) { try await program.start([]) }
    #expect(again?.code == .alreadyStarted)
    let closed = try self.program()
    await closed.close()
    let late = await #expect(throws: DesktopApplicationError.self) { try await closed.start([]) }
    #expect(late?.code == .alreadyStarted)
    await program.close()
  }

  @Test func `gives its name back with the last reference`() async throws {
    let caller = try caller()
    for _ in 0..<20 {
      let program = try program()
      // The one before may still be about to leave.
      #expect(try await program.start([]) == .first)
      #expect(await caller.refusal(of: Calls.activate) == nil)
      withExtendedLifetime(program) {}
    }
    var refusal: String?
    for _ in 0..<10_000 where refusal != "ServiceUnknown" {
      refusal = await caller.refusal(of: Calls.activate)
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(refusal == "ServiceUnknown")
  }

  // MARK: A bus in trouble

  @Test func `works without a bus, and reports that once`() async throws {
    try await reports.during {
      let program = try program("unix:path=/nowhere/bus")
      #expect(try await program.start(["photos:/picture/1"]) == .first)
      let lego = try Photos.store(program.arrivals)
      #expect(await eventually { lego.design.routes == [.picture(1)] && !reports.lines.isEmpty })
      // Time for some more attempts.
      try await Task.sleep(for: .milliseconds(50))
      await lego.close()
      await program.close()
    }
    #expect(
      reports.lines == [
        "org.example.Photos cannot receive links from the bus, will try again: No such file or directory"
      ])
  }

  @Test func `does not wait for a bus that never answers`() async throws {
    let silent = try SilentBus()
    var times = ApplicationTimes.patient
    times.answer = .milliseconds(20)
    try await reports.during {
      let program = try program(silent.address, times: times)
      #expect(try await program.start(["photos:/picture/1"]) == .first)
      var iterator = program.arrivals.makeAsyncIterator()
      #expect(await iterator.next()?.link == "photos:/picture/1")
      #expect(await eventually { !reports.lines.isEmpty })
      await program.close()
    }
    #expect(reports.lines.first?.hasSuffix("no answer in time") == true, "\(reports.lines)")
  }

  @Test func `gets links again when the bus comes back`() async throws {
    try await reports.during {
      let program = try program()
      _ = try await program.start([])
      let lego = try Photos.store(program.arrivals)
      for number in 1...3 {
        bus.stop()
        #expect(await eventually { reports.lines.count == number })
        try bus.start()
        let caller = try caller()
        var refusal = await caller.refusal(of: Calls.open("photos:/picture/\(number)"))
        for _ in 0..<10_000 where refusal == "ServiceUnknown" {
          try await Task.sleep(for: .milliseconds(5))
          refusal = await caller.refusal(of: Calls.open("photos:/picture/\(number)"))
        }
        #expect(refusal == nil)
        #expect(await eventually { lego.design.routes.last == .picture(number) })
      }
      await lego.close()
      await program.close()
    }
    #expect(reports.lines.count == 3, "\(reports.lines)")
  }

  @Test func `says that the one that runs does not answer`() async throws {
    // It owns the name, and its thread stands still.
    let isOver = Atomic(false)
    let stuck = try BusClient(.at(bus.address)) { call in
      while !call.isSignal, !isOver.load(ordering: .relaxed) { usleep(1_000) }
      return .values([])
    }
    _ = try await stuck.call(
      .bus("RequestName", [.text(Calls.name), .unsigned(4)]), within: .seconds(60))
    var times = ApplicationTimes.patient
    times.handOver = .milliseconds(20)
    let program = try program(times: times)
    let error = await #expect(throws: DesktopApplicationError.self) {
      try await program.start(["photos:/picture/1"])
    }
    #expect(error?.code == .notHandedOver)
    #expect(error?.description == #""org.example.Photos": no answer in time"#)
    isOver.store(true, ordering: .relaxed)
    await stuck.close()
  }

  @Test func `can be cancelled while it starts`() async throws {
    let silent = try SilentBus()
    let program = try program(silent.address)
    let task = Task { try await program.start([]) }
    try await Task.sleep(for: .milliseconds(5))
    task.cancel()
    let error = await #expect(throws: DesktopApplicationError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test func `needs a name and schemes that are right`() {
    #expect(throws: DesktopApplicationError.self) {
      try DesktopApplication("photos", schemes: ["photos"])
    }
    #expect(throws: DesktopApplicationError.self) {
      try DesktopApplication(Calls.name, schemes: ["pho tos"])
    }
  }
}

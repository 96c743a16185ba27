import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LinuxDevices
import Testing

/// The behavior of in-memory grants on devices.
///
/// `GrantContractTests` covers the behavior that all grant services share.
@Suite(
  .machine {
    $0.addUser("alice", id: 1000)
    $0.addUser("bob", id: 1001)
    $0.addCamera()
  })
struct `Grants in memory` {
  private let machine: InMemoryMachine
  private let grants = Contractors().grants

  init() throws { machine = try #require(MachineTrait.current) }

  private func answer(to user: String) throws -> Answer {
    let question = Question(.path("/dev/video0"), subject: .user(user))
    return try machine.facts(for: question).explain().answer
  }

  @Test func `let a user have the best device of a kind, for a time`() async throws {
    let report = try await grants.grant(
      GrantRequest(.kind(.camera), to: "alice", lifetime: .seconds(60)))
    #expect(report.path == "/dev/video0")
    #expect(report.kind == "camera")
    #expect(report.ending == .timer)
    #expect(report.survivesReplug)
    #expect(report.grant.permissions == [.read, .write])
    #expect(try answer(to: "alice") == .allowed)
    #expect(try answer(to: "bob") == .refused)
    await machine.clock.advance(by: .seconds(59))
    #expect(try answer(to: "alice") == .allowed)
    await machine.clock.advance(by: .seconds(1))
    #expect(try answer(to: "alice") == .refused)
    #expect(try await grants.grants() == [])
  }

  @Test(arguments: [Int64.min, -1, 0, GrantRequest.longest + 1, .max])
  func `are refused for a time that none lasts`(_ seconds: Int64) async throws {
    let request = GrantRequest(.kind(.camera), to: "alice", lifetime: .seconds(seconds))
    for service in [grants, GrantService()] {
      let error = await #expect(throws: GrantError.self) { try await service.grant(request) }
      #expect(error?.code == .failed)
      #expect(error?.reason.contains("not \(seconds)") == true)
      await #expect(throws: GrantError.self) { try await service.plan(request) }
    }
    #expect(try await grants.grants() == [])
  }

  @Test func `come back with the device, and end with their time`() async throws {
    _ = try await grants.grant(GrantRequest(.kind(.camera), to: "alice", lifetime: .seconds(60)))
    machine.change { $0.removeDevice("/dev/video0") }
    #expect(try await grants.grants().count == 1)
    machine.change { $0.addCamera() }
    #expect(try answer(to: "alice") == .allowed)
    machine.change { $0.removeDevice("/dev/video0") }
    await machine.clock.advance(by: .seconds(60))
    machine.change { $0.addCamera() }
    #expect(try answer(to: "alice") == .refused)
  }

  @Test func `are given again only on the device that they were for`() async throws {
    let id = try await grants.grant(GrantRequest(.kind(.camera), to: "alice")).grant.id
    machine.change { $0.addMicrophone() }
    for path in ["/dev/snd/pcmC0D0c", "/dev/missing"] {
      let error = await #expect(throws: GrantError.self) { try await grants.renew(id, at: path) }
      #expect(error?.code == .wrongObject)
    }
    machine.change { $0.setMode(0o600, of: "/dev/video0") }
    #expect(try answer(to: "alice") == .refused)
    #expect(try await grants.renew(id, at: "/dev/video0").grant.id == id)
    let error = await #expect(throws: GrantError.self) {
      try await grants.renew("0123456789abcdef", at: "/dev/video0")
    }
    #expect(error?.code == .unknown)
  }

  @Test func `are refused to who neither owns the device nor is root`() async throws {
    machine.change { $0.run(as: "bob") }
    let request = GrantRequest(.kind(.camera), to: "alice")
    #expect(try await grants.plan(request).after.text.contains("u:1000:rw-"))
    let error = await #expect(throws: GrantError.self) { try await grants.grant(request) }
    #expect(error?.code == .notPermitted)
    #expect(try answer(to: "alice") == .refused)
    machine.change { $0.setOwner("bob", group: "video", of: "/dev/video0") }
    _ = try await grants.grant(request)
    #expect(try answer(to: "alice") == .allowed)
    // Each caller has a separate record.
    machine.change { $0.run(as: "root") }
    #expect(try await grants.grants() == [])
    machine.change { $0.run(as: "bob") }
    #expect(try await grants.revoke(.kind("camera", user: "alice")).count == 1)
  }

  @Test func `leave the seat what it gave meanwhile`() async throws {
    let id = try await grants.grant(GrantRequest(.kind(.camera), to: "alice")).grant.id
    machine.change { $0.logIn("alice") }
    try await grants.revoke(.id(id))
    #expect(try answer(to: "alice") == .allowed)
    machine.change { $0.logOut("alice") }
    #expect(try answer(to: "alice") == .refused)
  }

  @Test func `stay where sessions are switched`() async throws {
    machine.change {
      $0.addUser("carol", id: 1002)
      $0.logIn("alice")
      $0.logIn("bob")
    }
    let ids = [
      try await grants.grant(GrantRequest(.kind(.camera), to: "alice")).grant.id,
      try await grants.grant(GrantRequest(.kind(.camera), to: "carol")).grant.id,
    ]
    for active in ["alice", "bob", "alice", "bob"] {
      machine.change { $0.activateSession(of: active) }
      #expect(try answer(to: "alice") == .allowed)
      #expect(try answer(to: "carol") == .allowed)
      #expect(try answer(to: "bob") == (active == "bob" ? .allowed : .refused))
    }
    for id in ids { try await grants.revoke(.id(id)) }
    #expect(try answer(to: "alice") == .refused)
    #expect(try answer(to: "carol") == .refused)
    #expect(try answer(to: "bob") == .allowed)
  }

  @Test func `say that the access of a session ends with it`() async throws {
    machine.change { $0.logIn("alice") }
    let request = GrantRequest(.kind(.camera), to: "alice")
    let report = try await grants.grant(request)
    #expect(report.isAllowedAlready)
    #expect(report.isOfSession)
    // With the group as well, the access does not depend on the session.
    machine.change { $0.addUser("alice", id: 1000, groups: ["video"]) }
    #expect(try await grants.plan(request).isAllowedAlready)
    #expect(try await grants.plan(request).isOfSession == false)
    #expect(try await grants.plan(GrantRequest(.kind(.camera), to: "bob")).isOfSession == false)
  }

  @Test func `stay on no device that nothing tells from another`() async throws {
    for number in 0...1 {
      var port = DeviceFacts(
        node: "/dev/ttyUSB\(number)", sysfsPath: "/sys/devices/platform/x/tty/ttyUSB\(number)",
        subsystem: "tty", kernelName: "ttyUSB\(number)", seat: "seat0")
      port.number = DeviceNumber(major: 188, minor: UInt32(number))
      machine.change { $0.addDevice(port, mode: 0o660) }
    }
    let request = GrantRequest(.path("/dev/ttyUSB0"), to: "alice", lifetime: .permanent)
    let refusal = GrantError(
      .wrongObject, at: "/dev/ttyUSB0", "nothing identifies it among other devices")
    await #expect(throws: refusal) { try await grants.grant(request) }
    await #expect(throws: refusal) { try await grants.plan(request) }
    #expect(try await grants.grants() == [])
    machine.change { $0.removeDevice("/dev/ttyUSB1") }
    #expect(try await grants.plan(request).rule != nil)
    #expect(try await grants.grant(request).ending == .nothing)
  }

  @Test func `are so many at most`() async throws {
    for _ in 0..<128 {
      _ = try await grants.grant(GrantRequest(.kind(.camera), to: "alice"))
    }
    let error = await #expect(throws: GrantError.self) {
      _ = try await grants.grant(GrantRequest(.kind(.camera), to: "bob"))
    }
    #expect(error?.code == .full)
    #expect(try answer(to: "bob") == .refused)
    #expect(try await grants.revoke(.kind("camera", user: nil)).count == 128)
  }

  @Test func `reach whoever watches the machine, and a store`() async throws {
    let lego = Lego(
      GrantBlueprint.Design(), blueprint: GrantBlueprint(), adaptors: [GrantAdaptor()])
    machine.change { $0.run(as: "alice") }
    var statuses = Contractors().permissions.changes.makeAsyncIterator()
    #expect(try await statuses.next()?.camera.status == .denied)
    machine.change { $0.run(as: "root") }
    await lego.build(.grant(GrantRequest(.kind(.camera), to: "alice"), isDry: false)).finished()
    #expect(try await grants.grants().count == 1)
    machine.change { $0.run(as: "alice") }
    var camera = try await statuses.next()?.camera.status
    while camera != .authorized { camera = try await statuses.next()?.camera.status }
    await lego.close()
  }
}

import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import Glibc
import LinuxDevices
import LinuxTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Access that was given` {
  /// A machine where alice may use the camera, directly or through a portal.
  private func machine(groups: [String] = [], portal: InMemoryPortal? = nil) -> InMemoryMachine {
    InMemoryMachine(portal: portal) {
      $0.addUser("alice", id: 1000, groups: groups)
      $0.addCamera()
      $0.run(as: "alice")
    }
  }

  /// Requests the camera and takes the access.
  private func camera(of service: PermissionsService) async throws -> CameraAccess {
    let token = try #require(await service.request().token)
    guard let access = service.take(token) else {
      throw DeviceError(.unavailable, operation: "take the descriptor")
    }
    return access
  }

  /// Returns a task that waits for the first revocation, once the machine is watched.
  private func revocation(
    of access: borrowing CameraAccess, on machine: InMemoryMachine
  ) async -> Task<AccessRevocation?, Never> {
    let revocations = access.revocations
    let first = Task { await revocations.first { _ in true } }
    #expect(await eventually { machine.watchCount == 1 })
    return first
  }

  /// However quickly the camera is plugged in again, the opened device was removed.
  @Test(arguments: [(false, 1), (true, 100)])
  func `tells when the camera is unplugged`(comesAgain: Bool, rounds: Int) async throws {
    for _ in 0..<rounds {
      let machine = machine(groups: ["video"])
      let service = PermissionsService(machine: machine)
      let access = try await camera(of: service)
      let first = await revocation(of: access, on: machine)
      let devices = try machine.devices(of: .camera)
      machine.change { $0.removeDevice("/dev/video0") }
      if comesAgain {
        machine.change { $0.addCamera() }
        #expect(try machine.devices(of: .camera) == devices)
      }
      #expect(await first.value == .removed)
      access.close()
      #expect(await eventually { machine.watchCount == 0 })
    }
  }

  @Test func `tells when the rules refuse the camera`() async throws {
    let machine = machine(groups: ["video"])
    let service = PermissionsService(machine: machine)
    let access = try await camera(of: service)
    let first = await revocation(of: access, on: machine)
    machine.change { $0.setMode(0o600, of: "/dev/video0") }
    guard case .refused = await first.value else {
      Issue.record("\(String(describing: await first.value))")
      return
    }
  }

  @Test func `tells when the stored answer is changed`() async throws {
    let portal = InMemoryPortal()
    let service = PermissionsService(machine: machine(portal: portal))
    let access = try await camera(of: service)
    let revocations = access.revocations
    let first = Task { await revocations.first { _ in true } }
    try await portal.store(.no, for: "")
    #expect(await first.value == .storedAnswer(.no))
    #expect(service.requestStatus().camera == .denied)
  }

  /// The portal identifies the application by its sandbox (`app_id_from_app_info`), not by the name
  /// that a program registers.
  @Test(arguments: [nil, "org.example.Booth"])
  func `tells of the answer of the sandbox and not of the registered name`(
    flatpak: String?
  ) async throws {
    let portal = InMemoryPortal()
    let machine = machine(portal: portal)
    machine.change {
      guard let flatpak else { return }
      $0.confinement.container = "flatpak"
      $0.confinement.application = ApplicationFacts(name: flatpak)
    }
    let service = PermissionsService(machine: machine)
    let answer = await service.request(AccessRequest(.camera, application: "org.example.Other"))
    #expect(answer.method == .portal)
    guard let access = service.take(try #require(answer.token)) else {
      Issue.record("the connection was not handed over")
      return
    }
    let revocations = access.revocations
    let first = Task { await revocations.first { _ in true } }
    try await portal.store(.no, for: "org.example.Other")
    try await portal.store(.ask, for: flatpak ?? "")
    #expect(await first.value == .storedAnswer(.ask))
  }

  @Test func `tells when PipeWire ends the connection`() async throws {
    let portal = InMemoryPortal()
    let service = PermissionsService(machine: machine(portal: portal))
    let access = try await camera(of: service)
    // Both listeners are notified.
    let revocations = [access.revocations, access.revocations]
    portal.disconnect()
    for stream in revocations {
      #expect(await stream.first { _ in true } == .disconnected)
    }
    #expect(service.requestStatus().camera == .authorized)
  }

  @Test func `is closed for the other end though somebody listens`() async throws {
    let portal = InMemoryPortal()
    let service = PermissionsService(machine: machine(portal: portal))
    let before = OwnProcess.descriptorCount
    for _ in 0..<50 {
      let access = try await camera(of: service)
      let revocations = access.revocations
      let first = Task { await revocations.first { _ in true } }
      access.close()
      // Closing the access is not a revocation; the next event is the stored answer.
      try await portal.store(.no, for: "")
      #expect(await first.value == .storedAnswer(.no))
      try await portal.store(nil, for: "")
    }
    // The portal keeps the last connection open until the next request.
    #expect(await eventually { OwnProcess.descriptorCount <= before + 3 })
  }
}

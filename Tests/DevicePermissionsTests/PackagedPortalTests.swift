import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LinuxDevices
import LinuxTestSupport
import MessageBus
import Testing

/// An in-memory machine with the portal of a real desktop.
private struct DesktopMachine: MachineWrapper {
  let wrapped: any Machine = InMemoryMachine {
    $0.addUser("alice", id: 1000)
    $0.addCamera()
    $0.run(as: "alice")
  }
  let cameraPortal: (any CameraPortal)?

  init(_ desktop: PrivateDesktop) {
    cameraPortal = DesktopPortal(address: .at(desktop.bus.address))
  }
}

/// Tests the whole method with a real xdg-desktop-portal and its permission store.
@Suite(.requiresPortal, .timeLimit(.minutes(5)))
struct `A request by the portal of Debian` {
  @Test(.requiresMedia) func `is granted, remembered, and taken back`() async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: "yes"), hasMedia: true)
    let machine = DesktopMachine(desktop)
    let service = PermissionsService(machine: machine)
    #expect(service.requestStatus().camera == .notDetermined)
    let answer = await service.request()
    #expect(answer.method == .portal)
    #expect(answer.term == .untilRevoked)
    #expect(service.requestStatus().camera == .authorized)
    // Another program gets access without a dialog.
    #expect(await PermissionsService(machine: machine).requestCameraAccess() == .authorized)

    let token = try #require(answer.token)
    guard let camera = service.take(token) else {
      Issue.record("nothing to take")
      return
    }
    let revocations = camera.revocations
    let first = Task { await revocations.first { _ in true } }
    try await machine.cameraPortal?.store(.no, for: "")
    #expect(await first.value == .storedAnswer(.no))
    #expect(service.requestStatus().camera == .denied)
    try await machine.cameraPortal?.store(nil, for: "")
    #expect(PermissionsService(machine: machine).requestStatus().camera == .notDetermined)
    camera.close()
  }

  /// The permission store does not run until a program calls it.
  ///
  /// Watching starts no program.
  @Test func `is followed by a store that watches, whoever stores answers`() async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: "yes"))
    let machine = DesktopMachine(desktop)
    let answers: [(PortalStoredAnswer?, PermissionStatus)] = [
      (.no, .denied), (.yes, .authorized), (nil, .notDetermined),
    ]
    try await withContractors {
      $0.permissions = PermissionsService(machine: machine)
    } operation: {
      let lego = Lego(PermissionsBlueprint.Design(), feature: .permissions)
      lego.build(.watch(true))
      for await camera in lego.designs.map(\.camera) where camera == .notDetermined { break }
      for _ in 0..<5 {
        for (answer, status) in answers {
          try await machine.cameraPortal?.store(answer, for: "")
          for await camera in lego.designs.map(\.camera) where camera == status { break }
        }
      }
      await lego.build(.watch(false)).finished()
    }
  }

  @Test(.requiresMedia) func `is taken back when PipeWire ends`() async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: "yes"), hasMedia: true)
    let service = PermissionsService(machine: DesktopMachine(desktop))
    let token = try #require(await service.request().token)
    guard let camera = service.take(token) else {
      Issue.record("nothing to take")
      return
    }
    let revocations = camera.revocations
    desktop.endMedia()
    #expect(await revocations.first { _ in true } == .disconnected)
    camera.close()
  }

  @Test(arguments: [
    ("no", PermissionStatus.denied, PermissionStatus.denied),
    ("dismissed", .denied, .denied), ("crash", .denied, .denied),
    ("lockdown", .restricted, .restricted),
  ])
  func `that comes to nothing settles the status`(
    answer: String, status: PermissionStatus, again: PermissionStatus
  ) async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: answer))
    let service = PermissionsService(machine: DesktopMachine(desktop))
    #expect(service.requestStatus().camera == .notDetermined)
    #expect(await service.requestCameraAccess() == status)
    #expect(service.requestStatus().camera == again)
  }
}

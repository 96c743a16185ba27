import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LinuxDevices
import LinuxTestSupport
import MachineSamples
import Synchronization
import Testing

/// A portal that counts the subscribers to its stored answers.
private final class FollowedPortal: CameraPortal {
  private let wrapped = InMemoryPortal()
  private let followers = Mutex<[Int: AsyncStream<PortalPermission>.Continuation]>([:])

  var followCount: Int { followers.withLock { $0.count } }

  /// Ends every stream, as the message bus does when it exits.
  func end() { for follower in followers.withLock({ Array($0.values) }) { follower.finish() } }

  func status(of application: String?) -> PortalStatus { wrapped.status(of: application) }

  func request(_ request: PortalRequest) async -> PortalReply { await wrapped.request(request) }

  func permissions(of application: String) -> AsyncStream<PortalPermission> {
    AsyncStream { continuation in
      let number = followers.withLock { followers in
        let number = (followers.keys.max() ?? 0) + 1
        followers[number] = continuation
        return number
      }
      continuation.onTermination = { [weak self] _ in
        self?.followers.withLock { $0[number] = nil }
      }
      continuation.yield(.nothing)
    }
  }

  func store(_ answer: PortalStoredAnswer?, for application: String) async throws(DeviceError) {
    try await wrapped.store(answer, for: application)
  }
}

@Suite(
  .machine {
    $0.addUser("alice", id: 1000)
    $0.addUser("bob", id: 1001)
    $0.addDirectory("/home/alice/Pictures", mode: 0o700, owner: "alice")
    $0.addCamera()
    $0.run(as: "alice")
    $0.logIn("bob")
    $0.logIn("alice")
  })
struct `Permissions that a store watches` {
  /// Waits until the camera has a status.
  private func wait(
    _ lego: Lego<PermissionsBlueprint>, for status: PermissionStatus
  ) async {
    for await camera in lego.designs.map(\.camera) where camera == status { return }
  }

  @Test func `are true for as long as somebody looks`() async throws {
    let machine = try #require(MachineTrait.current)
    let lego = Lego(PermissionsBlueprint.Design(), feature: .permissions)
    #expect(machine.watchCount == 0)
    lego.build(.watch(true))
    await wait(lego, for: .authorized)
    #expect(machine.watchCount == 1)
    machine.change { $0.activateSession(of: "bob") }
    await wait(lego, for: .denied)
    machine.change { $0.removeDevice("/dev/video0") }
    await wait(lego, for: .absent)
    machine.change {
      $0.addCamera()
      $0.activateSession(of: "alice")
    }
    await wait(lego, for: .authorized)
    await lego.build(.watch(false)).finished()
    while machine.watchCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
    machine.change { $0.activateSession(of: "bob") }
    #expect(lego.design.camera == .authorized)
  }

  /// The system runs out of descriptors for longer than a watch waits, or from the start.
  @Test func `are true again once the machine can be observed again`() async throws {
    let machine = try #require(MachineTrait.current)
    let exhausted = ExhaustedMachine(machine)
    exhausted.failures.store(2, ordering: .relaxed)
    await withContractors {
      $0.permissions = PermissionsService(machine: exhausted)
    } operation: {
      let lego = Lego(PermissionsBlueprint.Design(), feature: .permissions)
      lego.build(.watch(true))
      await wait(lego, for: .unknown)
      #expect(lego.design.microphone == .unknown && lego.design.album == .unknown)
      await wait(lego, for: .authorized)
      #expect(lego.design.album == .authorized)
      machine.change { $0.removeDevice("/dev/video0") }
      await wait(lego, for: .absent)
      await lego.build(.watch(false)).finished()
    }
  }

  @Test func `say what is not told by events, as long as somebody looks`() async throws {
    let machine = try #require(MachineTrait.current)
    await withContractors {
      $0.permissions = PermissionsService(machine: SilentMachine(machine))
    } operation: {
      let lego = Lego(PermissionsBlueprint.Design(), feature: .permissions)
      lego.build(.watch(true))
      for await gaps in lego.designs.map(\.gaps) where !gaps.isEmpty { break }
      #expect(lego.design.gaps.map(\.layer) == ["events"])
      await lego.build(.watch(true)).finished()
      #expect(!lego.design.gaps.isEmpty)
      await lego.build(.watch(false)).finished()
      #expect(lego.design.gaps.isEmpty)
    }
  }

  /// Simulates a mount that appears and is removed again.
  @Test func `say what is not told by events any more, and when it is again`() async throws {
    let machine = try #require(MachineTrait.current)
    let partly = PartlySilentMachine(machine)
    var changes = PermissionsService(machine: partly).changes.makeAsyncIterator()
    #expect(try await changes.next()?.gaps == [])
    partly.isSilent.store(true, ordering: .relaxed)
    machine.change { $0.removeDevice("/dev/video0") }
    #expect(try await changes.next()?.camera.status == .absent)
    #expect(try await changes.next()?.gaps == [PartlySilentMachine.gap])
    partly.isSilent.store(false, ordering: .relaxed)
    machine.change { $0.addCamera() }
    #expect(try await changes.next()?.camera.status == .authorized)
    #expect(try await changes.next()?.gaps == [])
  }

  @Test func `say at once that looks fail, and when they no longer do`() async throws {
    let machine = try #require(MachineTrait.current)
    let exhausted = ExhaustedMachine(machine)
    var changes = PermissionsService(machine: exhausted).changes.makeAsyncIterator()
    #expect(try await changes.next()?.gaps == [])
    exhausted.failures.store(.max, ordering: .relaxed)
    machine.change { $0.activateSession(of: "bob") }
    let failing = try await changes.next()
    #expect(failing?.gaps.map(\.layer) == ["events"])
    #expect(failing?.camera.status == .authorized)
    exhausted.failures.store(0, ordering: .relaxed)
    let again = try await changes.next()
    #expect(again?.gaps == [])
    #expect(again?.camera.status == .denied)
  }

  /// A desktop whose portal can be asked for the camera.
  private func desktop(_ portal: any CameraPortal) -> MachineWithPortal {
    MachineWithPortal(
      wrapped: InMemoryMachine {
        $0.addUser("alice", id: 1000)
        $0.addCamera()
        $0.run(as: "alice")
      }, cameraPortal: portal)
  }

  @Test func `follow the stored answer of the portal`() async throws {
    let portal = InMemoryPortal()
    let service = PermissionsService(machine: desktop(portal))
    try await withContractors {
      $0.permissions = service
    } operation: {
      let lego = Lego(PermissionsBlueprint.Design(), feature: .permissions)
      lego.build(.watch(true))
      await wait(lego, for: .notDetermined)
      let answers: [(PortalStoredAnswer?, PermissionStatus)] = [
        (.yes, .authorized), (.no, .denied), (nil, .notDetermined), (.yes, .authorized),
      ]
      for (answer, status) in answers {
        try await portal.store(answer, for: "")
        await wait(lego, for: status)
        #expect(service.requestStatus().camera == status)
      }
      // Another program's answer causes no scan.
      try await portal.store(.no, for: "org.example.Other")
      #expect(lego.design.gaps.isEmpty)
      await lego.close()
    }
  }

  @Test func `follow it only where it makes a difference, and as long as somebody looks`()
    async throws
  {
    let portal = FollowedPortal()
    let machine = desktop(portal)
    let inMemory = try #require(machine.wrapped as? InMemoryMachine)
    await withContractors {
      $0.permissions = PermissionsService(machine: machine)
    } operation: {
      let lego = Lego(PermissionsBlueprint.Design(), feature: .permissions)
      lego.build(.watch(true))
      await wait(lego, for: .notDetermined)
      #expect(await eventually { portal.followCount == 1 })
      inMemory.change { $0.setMode(0o666, of: "/dev/video0") }
      await wait(lego, for: .authorized)
      #expect(await eventually { portal.followCount == 0 })
      inMemory.change { $0.setMode(0o600, of: "/dev/video0") }
      await wait(lego, for: .notDetermined)
      #expect(await eventually { portal.followCount == 1 })
      // The message bus exits, and is available again at the next scan.
      portal.end()
      #expect(await eventually { portal.followCount == 1 })
      lego.build(.watch(false))
      #expect(await eventually { portal.followCount == 0 })
    }
  }

  @Test func `do not look again and again where no portal is there`() async throws {
    let portal = CountingPortal()
    let changes = PermissionsService(machine: desktop(portal)).changes
    let looking = Task {
      for try await now in changes { #expect(now.camera.status == .denied) }
    }
    #expect(await eventually { portal.count > 0 })
    try await Task.sleep(for: .milliseconds(100))
    #expect(portal.count < 5)
    looking.cancel()
    try await looking.value
  }

  @Test func `cost nothing once the store is gone`() async throws {
    let machine = try #require(MachineTrait.current)
    do {
      let lego = Lego(PermissionsBlueprint.Design(), feature: .permissions)
      lego.build(.watch(true))
      await wait(lego, for: .authorized)
      #expect(machine.watchCount == 1)
    }
    while machine.watchCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
  }
}

import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LinuxDevices
import Synchronization
import Testing

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

  /// A system lacks descriptors for longer than a watch waits, or from the beginning.
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

  /// As of a mount that came, and went again.
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

import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import Testing

@Suite struct `Device service` {
  let machine = InMemoryMachine {
    $0.addUser("alice", id: 1000)
    $0.addUser("bob", id: 1001)
    $0.addCamera(metadataSibling: true)
    $0.run(as: "alice")
    $0.logIn("alice", seat: nil)
    $0.logIn("bob")
  }

  @Test func `lists nodes that may not be opened too`() async throws {
    let listings = try await DeviceService(machine: machine).list(.camera)
    #expect(listings.map(\.device.node) == ["/dev/video0", "/dev/video1"])
    #expect(listings.map(\.device.role) == [.capture, .metadata])
    #expect(listings.map(\.access) == [[], []])
  }

  @Test func `a session switch hands the camera over`() async throws {
    let service = DeviceService(machine: machine)
    let question = Question(.kind(.camera))
    #expect(try await service.explain(question).status == .denied)
    machine.change { $0.logIn("alice") }
    #expect(try await service.explain(question).status == .authorized)
    machine.change { $0.activateSession(of: "bob") }
    let explanation = try await service.explain(question)
    #expect(explanation.status == .denied)
    #expect(explanation.cause?.code == .uaccessNotActive)
  }

  @Test func `plugging and unplugging reaches the events`() async throws {
    let service = DeviceService(machine: machine)
    var events = try service.events().makeAsyncIterator()
    machine.change { $0.addCamera(4, name: "Late") }
    let added = await events.next()
    #expect(added?.action == .add)
    #expect(added?.node == "/dev/video4")
    machine.change { $0.removeDevice("/dev/video4") }
    let removed = await events.next()
    #expect(removed?.action == .remove)
    machine.change { $0.setMode(0o600, of: "/dev/video0") }
    let changed = await events.next()
    #expect(changed?.action == .change)
    #expect(changed?.kernelName == "video0")
  }

  @Test func `an open that is refused throws the error number`() async throws {
    await #expect(throws: DeviceError(.refused, operation: "open", path: "/dev/video0", errno: 13))
    {
      _ = try await DeviceService(machine: machine).open("/dev/video0", for: [.read, .write])
        .rawValue
    }
  }

  @Test func `an opened device holds a descriptor`() async throws {
    machine.change {
      $0.addUser("alice", toGroup: "video")
      $0.run(as: "alice")
    }
    let descriptor = try await DeviceService(machine: machine).open("/dev/video0", for: .read)
    #expect(descriptor.rawValue >= 0)
    #expect(machine.openedPaths == ["/dev/video0"])
  }
}

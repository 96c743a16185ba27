import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LinuxDevices
import Testing

@Suite struct `Described holders` {
  private func machine(
    as user: String = "alice", _ configure: (inout MachineDescription) -> Void = { _ in }
  ) -> InMemoryMachine {
    InMemoryMachine { machine in
      machine.addUser("alice", id: 1000)
      machine.addUser("bob", id: 1001)
      machine.addCamera()
      machine.addLink("/dev/cam", to: "/dev/video0")
      machine.hold("/dev/video0", by: "cheese", pid: 10, user: "alice")
      machine.hold("/dev/video0", by: "zoom", pid: 11, user: "bob")
      machine.run(as: user)
      configure(&machine)
    }
  }

  @Test(arguments: [
    ("alice", ["cheese"], 1), ("bob", ["zoom"], 1), ("root", ["cheese", "zoom"], 0),
  ])
  func `are seen by their own user and by root`(
    user: String, names: [String], unseen: Int
  ) async throws {
    let service = DeviceUsageService(machine: machine(as: user))
    let facts = try await service.use(of: [.path("/dev/cam")])
    let use = try #require(facts.devices.first)
    #expect(use.node == "/dev/video0")
    #expect(use.holders.map(\.process.name) == names)
    #expect(facts.unseen.count == unseen)
    #expect(facts.unseen.isEmpty == (unseen == 0))
  }

  @Test(arguments: ["", "/dev/video0\0", String(repeating: "/d", count: 2048)])
  func `are not looked for at a path that no system call takes`(path: String) async {
    let error = await #expect(throws: DeviceError.self) {
      _ = try await DeviceUsageService(machine: machine()).use(of: [.kind(.camera), .path(path)])
    }
    let real = await #expect(throws: DeviceError.self) {
      _ = try await DeviceUsageService().use(of: [.path(path)])
    }
    #expect(error?.code == .invalidPath)
    #expect(error == real)
    let report = PermissionsService(machine: machine()).report(for: Question(.path(path)))
    #expect(report == PermissionsService().report(for: Question(.path(path))))
  }

  @Test func `without a user are seen by everybody`() throws {
    let machine = machine { machine in
      machine.endProcess(11)
      machine.addHolder(
        DeviceHolder(HoldingProcess(id: 12, name: "guvcview"), DeviceHold()), of: "/dev/video0")
    }
    let facts = try machine.use(of: [.path("/dev/video0")])
    #expect(facts.devices.first?.holders.map(\.process.name) == ["cheese", "guvcview"])
    #expect(facts.devices.map(facts.state) == [.used])
  }

  @Test func `hold a device by another node too`() throws {
    let machine = machine(as: "root") { machine in
      machine.addCamera(1)
      var other = DeviceFacts(
        node: "/dev/other", sysfsPath: "/sys/devices/other", subsystem: "x", kernelName: "other")
      other.number = DeviceNumber(major: 81, minor: 0)
      machine.addDevice(other)
    }
    let names = try machine.use(of: [.path("/dev/other")]).devices.first?.holders.count
    #expect(names == 2)
    #expect(try machine.use(of: [.path("/dev/video1")]).devices.first?.holders == [])
  }

  @Test func `hold nothing when they have ended`() throws {
    let machine = machine()
    machine.change { $0.endProcess(11) }
    let facts = try machine.use(of: [.kind(.camera)])
    #expect(facts.unseen.isEmpty)
    machine.change { $0.endProcess(10) }
    let free = try machine.use(of: [.kind(.camera)])
    #expect(free.devices.map(free.state) == [.free])
    #expect(free.devices.first?.kind == "camera")
  }

  @Test(.machine { $0.addCamera() }) func `are what the service in force answers`() async throws {
    let facts = try await Contractors().deviceUsage.use(of: [.kind(.camera), .kind(.gpu)])
    #expect(facts.devices.map(\.node) == ["/dev/video0"])
  }

  @Test(arguments: ["/dev/none", "/home"])
  func `of what is no device are an error`(path: String) {
    let error = #expect(throws: DeviceError.self) { try machine().use(of: [.path(path)]) }
    #expect(error?.code == .notADevice)
  }
}

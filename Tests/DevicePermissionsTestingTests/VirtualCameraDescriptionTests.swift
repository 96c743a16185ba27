import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LinuxDevices
import Testing

@Suite struct `A described virtual camera` {
  private static let node = "/dev/video10"

  private let machine = InMemoryMachine { machine in
    machine.addUser("alice", id: 1000)
    machine.addCamera()
    var device = DeviceFacts(
      node: Self.node, sysfsPath: "/sys/devices/virtual/video4linux/video10",
      subsystem: "video4linux", kernelName: "video10")
    device.number = DeviceNumber(major: 81, minor: 10)
    device.properties["ID_V4L_CAPABILITIES"] = ":video_output:"
    machine.addDevice(device, group: "video")
    machine.feed(Self.node, false)
    machine.run(as: "alice")
  }

  /// Returns the latest events, and the users who are active now.
  private func next(
    _ changes: inout UseChanges.Iterator
  ) async throws -> (events: [String], active: [String]) {
    let change = try #require(try await changes.next())
    let device = try #require(change.facts.devices.first { $0.node == Self.node })
    return (
      change.events.map { "\($0.action.rawValue) \($0.user?.name ?? "-")" },
      device.activeUsers.compactMap(\.name)
    )
  }

  @Test(arguments: LoopbackVersion.allCases)
  func `is watched beside others, and who feeds it is not active`(
    version: LoopbackVersion
  ) async throws {
    let service = DeviceUsageService(machine: machine)
    var changes = service.changes(of: [.kind(.camera)]).makeAsyncIterator()
    #expect(try await next(&changes).active == [])
    machine.change { $0.hold(Self.node, by: "obs", pid: 7, user: "alice") }
    #expect(try await next(&changes) == (["opened obs"], []))
    machine.change { machine in
      machine.feed(Self.node, version: version)
      machine.hold(
        Self.node, by: "cheese", pid: 8, user: "alice", DeviceHold(isMapped: true))
    }
    #expect(try await next(&changes) == (["opened cheese"], ["cheese"]))
    let facts = try machine.use(of: [.path(Self.node)])
    let use = try #require(facts.devices.first)
    #expect(facts.occupation(of: use) == (version == .anyViewers ? .open : .busy))
    #expect(use.holders.map(use.direction) == [.feeds, .views])
    #expect(use.holders.map(use.isDirectionProven) == [false, false])
    machine.change { machine in
      machine.feed(Self.node, false, version: version)
      machine.endProcess(7)
    }
    #expect(try await next(&changes).active == [])
  }
}

import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import Testing

/// Devices with other names in a container.
@Suite struct `Devices by other names` {
  private static let first = DeviceNumber(major: 81, minor: 0)
  private static let second = DeviceNumber(major: 81, minor: 2)

  /// A container with two cameras and none of their nodes, and a user of the group `video`.
  private func machine(_ configure: (inout MachineDescription) -> Void) -> InMemoryMachine {
    InMemoryMachine {
      $0.addUser("alice", id: 1000, groups: ["video"])
      $0.addCamera(0, name: "First", tags: [], metadataSibling: true)
      $0.addCamera(2, name: "Second", tags: [], metadataSibling: true)
      $0.confinement.container = "docker"
      for number in 0..<4 { $0.remove("/dev/video\(number)") }
      configure(&$0)
      $0.run(as: "alice")
    }
  }

  private func explain(
    _ target: Question.Target = .kind(.camera),
    _ configure: (inout MachineDescription) -> Void
  ) throws -> Explanation {
    try machine(configure).facts(for: Question(target)).explain()
  }

  @Test(arguments: [.kind(.camera), .path("/dev/video0")] as [Question.Target])
  func `a camera by the name of another one is that camera`(target: Question.Target) throws {
    let explanation = try explain(target) { $0.addNode("/dev/video0", of: Self.second) }
    #expect(explanation.answer == .allowed)
    #expect(explanation.path == "/dev/video0")
    #expect(explanation.device?.name == "Second")
    #expect(explanation.device?.systemNode == "/dev/video2")
    #expect(explanation.evidence.contains("/dev/video0 is video2 here"))
    #expect(explanation.furtherCauses.isEmpty)
  }

  /// Sandboxes hide a camera this way.
  @Test(arguments: [.kind(.camera), .path("/dev/video0")] as [Question.Target])
  func `the null device over a camera is no camera`(target: Question.Target) throws {
    let null = DeviceNumber(major: 1, minor: 3)
    let explanation = try explain(target) {
      var device = DeviceFacts(
        node: "/dev/null", sysfsPath: "/sys/devices/virtual/mem/null", subsystem: "mem",
        kernelName: "null")
      device.number = null
      $0.addDevice(device, mode: 0o666)
      $0.addNode("/dev/video0", of: null, mode: 0o666)
    }
    #expect(explanation.answer == .absent)
    #expect(explanation.cause?.summary.contains("null") == true)
  }

  @Test func `a camera whose name another one has is listed as out of reach`() throws {
    let machine = machine { $0.addNode("/dev/video0", of: Self.second) }
    let listings = try machine.facts(for: Question(.kind(.camera))).listings(of: .camera)
    let first = try #require(listings.first { $0.device.name == "First" })
    #expect(first.device.node == nil && first.device.systemNode == "/dev/video0")
    #expect(first.access == [])
  }

  @Test func `exchanged cameras are both usable`() throws {
    let machine = machine {
      $0.addNode("/dev/video0", of: Self.second)
      $0.addNode("/dev/video2", of: Self.first)
    }
    let facts = try machine.facts(for: Question(.kind(.camera)))
    let explanation = facts.explain()
    #expect(explanation.status == .authorized)
    #expect(explanation.candidates.map(\.answer) == [.allowed, .allowed])
    #expect(explanation.candidates.map(\.device?.name) == ["First", "Second"])
    #expect(explanation.candidates.map(\.path) == ["/dev/video2", "/dev/video0"])
    let usable = try facts.listings(of: .camera).filter { $0.access == [.read, .write] }
    #expect(usable.compactMap(\.device.node).sorted() == ["/dev/video0", "/dev/video2"])
  }

  @Test func `a camera by a name of its own is found`() throws {
    let explanation = try explain { $0.addNode("/dev/cam", of: Self.second) }
    #expect(explanation.answer == .allowed)
    #expect(explanation.path == "/dev/cam")
    #expect(explanation.device?.name == "Second")
    #expect(explanation.evidence.contains("/dev/cam is video2 here"))
  }

  @Test func `a path to a camera by a name of its own is that camera there`() throws {
    let explanation = try explain(.path("/dev/cam")) { $0.addNode("/dev/cam", of: Self.second) }
    #expect(explanation.answer == .allowed)
    #expect(explanation.device?.node == "/dev/cam")
    #expect(explanation.device?.systemNode == "/dev/video2")
    let beside = try explain(.path("/dev/cam")) {
      $0.addNode("/dev/video2", of: Self.second)
      $0.addNode("/dev/cam", of: Self.second)
    }
    #expect(beside.device?.node == "/dev/video2")
  }

  @Test(
    arguments: [
      ("docker", "--device=/dev/video2:/dev/cam"),
      ("systemd-nspawn", "'[Service]' 'DeviceAllow=/dev/video2 rw' >> /etc/systemd/system/"),
      ("lxc", "lxc.mount.entry = /dev/video2 dev/cam none bind,optional,create=file"),
    ])
  func `is handed in again by the name that it has outside`(engine: String, option: String) throws {
    let explanation = try explain(.path("/dev/cam")) {
      $0.addNode("/dev/cam", of: Self.second)
      $0.confinement.container = engine
      $0.refuseBehindTheModel("/dev/cam", errno: .notPermitted)
    }
    #expect(explanation.cause?.code == .cgroupDevice)
    if engine == "systemd-nspawn" {
      let commands: [String] = explanation.remedies.flatMap(\.commands)
      #expect(commands.contains { $0.contains(option) })
    } else {
      #expect(explanation.remedies.flatMap(\.options).contains(option))
    }
  }

  @Test(
    arguments: [
      (.docker, "--device=/dev/video2:/dev/cam"), (.kubernetes, "      path: /dev/video2"),
      (.kubernetes, "      mountPath: /dev/cam"),
    ] as [(ContainerEngine, String)])
  func `has both names in a recipe`(engine: ContainerEngine, line: String) throws {
    let facts = try machine { $0.addNode("/dev/cam", of: Self.second) }
      .facts(for: Question(.path("/dev/cam")))
    let recipe = try #require(facts.recipe(for: engine, at: "/dev/cam", wanted: [.read, .write]))
    #expect(recipe.lines.contains(line))
  }

  @Test func `who uses a camera is told by the node that is there`() throws {
    let machine = machine {
      $0.addNode("/dev/cam", of: Self.second)
      $0.hold("/dev/cam", by: "cheese", pid: 7, user: "alice")
    }
    let use = try machine.use(of: [.kind(.camera)])
    #expect(use.devices.map(\.node) == ["/dev/video0", "/dev/cam"])
    #expect(use.devices.map(\.device?.systemNode) == [nil, "/dev/video2"])
    let facts = try machine.facts(for: Question(.kind(.camera)))
    let device = try #require(facts.explain().device)
    #expect(use.use(of: device)?.holders.map(\.process.name) == ["cheese"])
  }

  @Test(arguments: [0o660, 0o600] as [UInt16])
  func `the node that is there decides`(mode: UInt16) throws {
    let explanation = try explain { $0.addNode("/dev/cam", of: Self.second, mode: mode) }
    #expect(explanation.answer == (mode == 0o660 ? .allowed : .refused))
  }

  @Test(arguments: ["/dev/video0", "/dev/video1", "/dev/cam"])
  func `the metadata of a camera are no camera by any name`(path: String) throws {
    let metadata = DeviceNumber(major: 81, minor: 3)
    let explanation = try explain { $0.addNode(path, of: metadata) }
    #expect(explanation.answer == .absent)
    #expect(explanation.cause?.code != .containerHotplug)
  }

  @Test(arguments: [false, true])
  func `a number that no device has is from before a replug`(isBeside: Bool) throws {
    let explanation = try explain {
      $0.addNode("/dev/video0", of: DeviceNumber(major: 81, minor: 9))
      if isBeside { $0.addNode("/dev/video2", of: Self.second) }
    }
    #expect(explanation.answer == (isBeside ? .allowed : .absent))
    #expect(explanation.path == (isBeside ? "/dev/video2" : "/dev/video0"))
    guard !isBeside else { return }
    #expect(explanation.cause?.code == .containerHotplug)
    #expect(explanation.cause?.summary.contains("predates the last replug") == true)
  }

  @Test func `where cameras have their own names no others are looked for`() throws {
    let explanation = try explain {
      $0.addNode("/dev/video0", of: Self.first)
      $0.addNode("/dev/cam", of: Self.second)
    }
    #expect(explanation.path == "/dev/video0")
    #expect(explanation.device?.systemNode == nil)
    #expect(explanation.candidates.map(\.answer) == [.allowed, .absent])
  }
}

import AccessModel
import Testing

/// The exact syntax for each engine.
struct ContainerRecipeTests {
  private func written(
    _ engine: ContainerEngine, wanted: Permissions = [.read, .write],
    _ change: (inout Node) -> Void = { _ in }
  ) -> ContainerRecipe? {
    var facts = Fixtures.camera.facts
    for index in facts.access.nodes.indices where facts.access.nodes[index].type.isDevice {
      change(&facts.access.nodes[index])
    }
    return facts.recipe(for: engine, at: "/dev/video0", wanted: wanted)
  }

  @Test(arguments: [
    (ContainerEngine.docker, ["--device=/dev/video0", "--group-add=44"]),
    (.podman, ["--device=/dev/video0", "--group-add=44"]),
    (
      .systemd,
      [
        "[Service]", "DevicePolicy=closed", "DeviceAllow=/dev/video0 rw",
        "SupplementaryGroups=video",
      ]
    ),
    (
      .kubernetes,
      [
        "spec:", "  securityContext:", "    supplementalGroups: [44]", "  containers:",
        "  - name: app", "    volumeMounts:", "    - name: device",
        "      mountPath: /dev/video0", "  volumes:", "  - name: device", "    hostPath:",
        "      path: /dev/video0", "      type: CharDevice",
      ]
    ),
  ])
  func `a camera of group video`(engine: ContainerEngine, lines: [String]) throws {
    let recipe = try #require(written(engine))
    #expect(recipe.lines == lines)
    #expect(recipe.node.path == "/dev/video0")
    #expect(recipe.engine == engine)
  }

  @Test(arguments: [ContainerEngine.docker, .podman])
  func `the rule of the control group has the numbers`(engine: ContainerEngine) throws {
    let notes = try #require(written(engine)).notes.joined()
    #expect(notes.contains("--device-cgroup-rule='c 81:0 rw'"))
    #expect(notes.contains("keep-groups") == (engine == .podman))
  }

  @Test func `a major number that drivers share is never opened as a whole`() throws {
    let kvm = try #require(written(.docker) { $0.rdev = DeviceNumber(major: 10, minor: 232) })
    #expect(kvm.notes.joined().contains("'c 10:232 rw'."))
    #expect(!kvm.notes.joined().contains("10:*"))
    #expect(try #require(written(.docker)).notes.joined().contains("81:*"))
  }

  @Test func `reading alone asks for no more`() throws {
    #expect(
      try #require(written(.docker, wanted: .read)).lines
        == ["--device=/dev/video0:/dev/video0:r", "--group-add=44"])
    #expect(
      try #require(written(.systemd, wanted: .read)).lines[2] == "DeviceAllow=/dev/video0 r")
  }

  @Test func `a group without a plain name is a number`() throws {
    let recipe = try #require(written(.systemd) { $0.gid = 777 })
    #expect(recipe.lines.last == "SupplementaryGroups=777")
  }

  @Test(arguments: ContainerEngine.allCases)
  func `a node for everybody needs no group`(engine: ContainerEngine) throws {
    let recipe = try #require(written(engine) { $0.mode = 0o666 })
    #expect(!recipe.lines.contains { $0.contains("44") || $0.contains("video\n") })
    #expect(!recipe.notes.joined().contains("Neither"))
  }

  @Test(arguments: ContainerEngine.allCases)
  func `a node for its owner alone is said to be one`(engine: ContainerEngine) throws {
    let recipe = try #require(written(engine) { $0.mode = 0o600 })
    #expect(!recipe.lines.contains { $0.contains("44") })
    #expect(recipe.notes.joined().contains("Neither the group nor others may read or write it"))
  }

  @Test(arguments: ContainerEngine.allCases)
  func `a node of root's group is not given by that group`(engine: ContainerEngine) throws {
    let recipe = try #require(written(engine) { $0.gid = 0 })
    #expect(
      !recipe.lines.contains {
        $0.contains("group-add") || $0.contains("roups")
      })
    #expect(
      recipe.notes.last == """
        Only group root (0) and the owner root (0) may read and write it (0660): give the node its \
        own group with a udev rule, or run the program as user 0.
        """)
  }

  @Test(arguments: ContainerEngine.allCases)
  func `a link that udev does not know stands for its node`(engine: ContainerEngine) throws {
    var facts = Fixtures.camera.facts
    facts.devices = []
    var link = Node(path: "/dev/front", type: .symbolicLink, mode: 0o777, uid: 0, gid: 0)
    link.target = "video0"
    facts.access.nodes.append(link)
    let recipe = try #require(facts.recipe(for: engine, at: "/dev/front", wanted: [.read, .write]))
    #expect(recipe.node.path == "/dev/video0")
    #expect(recipe.lines == written(engine)?.lines)
  }

  @Test func `a hotplugged device is allowed by the name of its major number`() throws {
    let notes = try #require(written(.systemd)).notes
    #expect(
      notes.last == """
        For a device that can be replugged: DeviceAllow=char-video4linux rw, which means every \
        device of major number 81.
        """)
    let other = try #require(written(.systemd) { $0.rdev = DeviceNumber(major: 250, minor: 0) })
    #expect(!other.notes.joined().contains("char-"))
  }

  @Test func `systemd takes no node outside of its directory`() throws {
    let facts = Fixtures.camera.with { $0.ask("/srv/video0", gid: 44) }.facts
    let recipe = try #require(facts.recipe(for: .systemd, at: "/srv/video0", wanted: [.read]))
    #expect(recipe.lines.isEmpty)
    #expect(
      recipe.notes.first
        == "DeviceAllow= takes only paths under /dev, and this node is elsewhere.")
  }

  @Test(arguments: ContainerEngine.allCases)
  func `a path that the forms cannot say is not written into them`(engine: ContainerEngine) throws {
    var facts = Fixtures.camera.with { $0.ask("/dev/a b:c", gid: 44) }.facts
    facts.devices = []
    let recipe = try #require(facts.recipe(for: engine, at: "/dev/a b:c", wanted: [.read]))
    #expect(recipe.lines.isEmpty)
    #expect(recipe.notes.count >= 1)
  }

  @Test func `a block device is called one`() throws {
    let facts = Fixtures.camera.with { $0.ask("/dev/sda", .blockDevice, gid: 6) }.facts
    let recipe = try #require(facts.recipe(for: .kubernetes, at: "/dev/sda", wanted: [.read]))
    #expect(recipe.lines.last == "      type: BlockDevice")
    #expect(recipe.notes.joined().contains("b 250:0 r"))
  }

  @Test func `what is no device has no recipe`() {
    #expect(Fixtures.camera.facts.recipe(for: .docker, at: "/dev", wanted: .read) == nil)
    #expect(Fixtures.camera.facts.recipe(for: .docker, at: "/none", wanted: .read) == nil)
  }
}

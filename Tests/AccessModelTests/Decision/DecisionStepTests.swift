import AccessModel
import Testing

@Suite struct `Steps of a decision` {
  @Test func `tell the way through a link to the object`() {
    var scene = Scene()
    scene.addCamera(mode: 0o666)
    scene.add("/l", .symbolicLink, 0o777, target: "a")
    scene.open("/l/video0", [.readWrite])
    let decision = scene.value.decide()
    #expect(decision.steps.map(\.path) == ["/", "/l", "/", "/a", "/a/video0"])
    #expect(
      decision.steps.map(\.action) == [
        .search, .followLink(target: "a"), .search, .search, .final,
      ])
    #expect(decision.steps.map(\.wanted) == [.search, [], .search, .search, [.read, .write]])
    #expect(decision.steps.allSatisfy { $0.outcome == .granted })
    #expect(decision.steps.allSatisfy { $0.mount == "/" })
    #expect(decision.steps.map { $0.node?.path } == decision.steps.map(\.path))
  }

  @Test func `end with the one that refused`() {
    var scene = Scene()
    scene.change("/a") { $0.mode = 0o700 }
    scene.addCamera(mode: 0o666)
    let decision = scene.value.decide()
    #expect(decision.steps.map(\.path) == ["/", "/a"])
    #expect(decision.steps.last?.outcome == .denied(errno: 13))
    #expect(decision.steps.last?.rule == .modeOther)
    #expect(decision.at == "/a")
    #expect(decision.grounds.isEmpty)
  }

  @Test func `name what does not exist`() {
    var scene = Scene()
    scene.add("/l", .symbolicLink, 0o777, target: "a/gone/x")
    scene.open("/l", [.readOnly])
    let decision = scene.value.decide()
    #expect(decision.at == "/a/gone")
    #expect(decision.steps.last?.path == "/a/gone")
    #expect(decision.steps.last?.node == nil)
    #expect(decision.steps.last?.action == .search)
    #expect(scene.verdict == scene.answer)
  }

  @Test func `name the mount of each node`() {
    var scene = Scene()
    scene.value.mounts.append(Mount(at: "/a", fstype: "devtmpfs"))
    scene.addCamera(mode: 0o666)
    #expect(scene.value.decide().steps.map(\.mount) == ["/", "/a", "/a"])
  }

  @Test func `say what the rule saw`() {
    var scene = Scene()
    scene.addCamera(
      mode: 0o640,
      acl: [
        ACLEntry(.user, nil, [.read, .write]), ACLEntry(.user, 1000, [.read, .write]),
        ACLEntry(.group, nil, [.read, .write]), ACLEntry(.mask, nil, .read),
        ACLEntry(.other, nil, []),
      ])
    let decision = scene.value.decide()
    #expect(decision.rule == .aclMask)
    #expect(decision.entry == 1)
    #expect(
      decision.steps.last?.note
        == "entry user:1000:rw- of the access control list is cut down by mask r--")
  }

  @Test(
    arguments: [
      ([], [.modeOther]),
      ([.readAndSearch], [.modeOther, .readAndSearch]),
      ([.readAndSearch, .overrideFileAccess], [.modeOther, .readAndSearch, .overrideFileAccess]),
    ] as [(CapabilitySet, [Rule])])
  func `of a grant list all sufficient grounds`(effective: CapabilitySet, grounds: [Rule]) {
    var scene = Scene()
    scene.value.subject.effective = effective
    scene.addCamera(mode: 0o444)
    scene.open("/a/video0", [.readOnly])
    #expect(scene.value.decide().grounds == grounds)
  }

  @Test func `of a grant by capability do not list the mode`() {
    var scene = Scene()
    scene.value.subject.effective = [.overrideFileAccess]
    scene.addCamera()
    #expect(scene.value.decide().grounds == [.overrideFileAccess])
  }
}

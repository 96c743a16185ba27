import AccessModel
import Testing

@Suite struct Counterfactuals {
  @Test func `permissive modes grant what only a mode refuses`() {
    var scene = Scene()
    scene.change("/a") { $0.mode = 0o700 }
    scene.addCamera(
      acl: [ACLEntry(.user, nil, []), ACLEntry(.mask, nil, []), ACLEntry(.other, nil, [])])
    scene.change("/a/video0") { $0.unobserved = [.acl] }
    #expect(scene.value.withPermissiveDAC().decide().isGranted)
  }

  @Test func `permissive modes do not grant what another layer refuses`() {
    var scene = Scene()
    scene.value.mounts[0].nodev = true
    scene.addCamera()
    #expect(scene.value.withPermissiveDAC().decide().rule == .mountNodev)
  }

  @Test func `permissive modes let a file be executed`() {
    var scene = Scene()
    scene.add("/a/f", .regular, 0o600)
    scene.access("/a/f", .execute)
    #expect(scene.value.withPermissiveDAC().decide().isGranted)
  }

  @Test(arguments: [(UInt16(0o1755), true), (0o1777, false)])
  func `permissive modes protect no link that was not protected`(mode: UInt16, granted: Bool) {
    var scene = Scene()
    scene.addCamera(mode: 0o666)
    scene.add("/t", .directory, mode)
    scene.add("/t/l", .symbolicLink, 0o777, uid: 7, target: "/a/video0")
    scene.open("/t/l", [.readOnly])
    #expect(scene.value.decide().isGranted == granted)
    #expect(scene.value.withPermissiveDAC().decide().isGranted == granted)
  }

  @Test func `a permitted capability can be raised`() {
    var scene = Scene()
    scene.value.subject.permitted = [.overrideFileAccess]
    scene.addCamera()
    #expect(!scene.value.decide().isGranted)
    #expect(scene.value.withEffectiveCapabilities().decide().isGranted)
    #expect(
      !scene.value.withEffectiveCapabilities(raisedFromPermitted: [.readAndSearch]).decide()
        .isGranted)
  }

  @Test func `a new login brings its groups`() {
    var scene = Scene()
    scene.value.subject.unobserved = [.groups]
    scene.addCamera()
    #expect(scene.value.withGroups([44]).decide().rule == .modeGroup)
    #expect(scene.value.withGroups([45]).decide().outcome == .denied(errno: 13))
  }

  @Test func `another filesystem user owns other files`() {
    var scene = Scene()
    scene.addCamera(mode: 0o600, uid: 7)
    #expect(scene.value.withFilesystemIDs(user: 7, group: 7).decide().rule == .modeOwner)
  }

  @Test func `another request is decided on the same facts`() {
    var scene = Scene()
    scene.addCamera(mode: 0o444)
    let reading = scene.value.with(.open(path: "/a/video0", flags: [.readOnly]))
    #expect(!scene.value.decide().isGranted)
    #expect(reading.decide().isGranted)
  }
}

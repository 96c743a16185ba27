import AccessModel
import Testing

@Suite struct `Device control groups` {
  private static func exception(
    block: Bool = false, _ major: UInt32?, _ minor: UInt32?, _ letters: String
  ) -> DeviceCgroup.Exception {
    DeviceCgroup.Exception(
      isBlock: block, major: major, minor: minor, read: letters.contains("r"),
      write: letters.contains("w"), makeNode: letters.contains("m"))
  }

  private static func list(
    _ scene: inout Scene, _ behavior: DeviceCgroup.Default, _ exceptions: [DeviceCgroup.Exception]
  ) {
    scene.addCamera(mode: 0o666)
    scene.value.subject.deviceCgroup = DeviceCgroup(
      defaultBehavior: behavior, exceptions: exceptions)
  }

  @Test(arguments: [
    SceneRow("deny all", "denied 1 devcg /a/video0") { list(&$0, .deny, []) },
    SceneRow("no capability overrides it", "denied 1 devcg /a/video0") {
      list(&$0, .deny, [])
      $0.value.subject.effective = .all
    },
    SceneRow("the mode comes first", "denied 13 mode.other /a/video0") {
      list(&$0, .deny, [])
      $0.change("/a/video0") { $0.mode = 0o600 }
    },
    SceneRow("one exception holds all", "granted mode.other /a/video0") {
      list(&$0, .deny, [exception(81, nil, "rwm")])
    },
    SceneRow("two exceptions are not united", "denied 1 devcg /a/video0") {
      list(&$0, .deny, [exception(81, 0, "r"), exception(81, 0, "w")])
    },
    SceneRow("another minor", "denied 1 devcg /a/video0") {
      list(&$0, .deny, [exception(81, 1, "rw")])
    },
    SceneRow("another major", "denied 1 devcg /a/video0") {
      list(&$0, .deny, [exception(82, 0, "rw"), exception(82, nil, "rw")])
    },
    SceneRow("any major with another minor", "denied 1 devcg /a/video0") {
      list(&$0, .deny, [exception(nil, 1, "rw")])
    },
    SceneRow("allow, and an exception for another major", "granted mode.other /a/video0") {
      list(&$0, .allow, [exception(82, 0, "rw")])
    },
    SceneRow("block is not char", "denied 1 devcg /a/video0") {
      list(&$0, .deny, [exception(block: true, nil, nil, "rwm")])
    },
    SceneRow("existence needs a match too", "denied 1 devcg /a/video0") {
      list(&$0, .deny, [exception(81, 1, "rw")])
      $0.access("/a/video0", [])
    },
    SceneRow("existence with any match", "granted mode.other /a/video0") {
      list(&$0, .deny, [exception(81, nil, "m")])
      $0.access("/a/video0", [])
    },
    SceneRow("allow with an exception that shares a bit", "denied 1 devcg /a/video0") {
      list(&$0, .allow, [exception(81, 0, "w")])
    },
    SceneRow("allow with an exception that shares none", "granted mode.other /a/video0") {
      list(&$0, .allow, [exception(81, 0, "w")])
      $0.open("/a/video0", [.readOnly])
    },
    SceneRow("allow never forbids existence", "granted mode.other /a/video0") {
      list(&$0, .allow, [exception(nil, nil, "rwm")])
      $0.access("/a/video0", [])
    },
    SceneRow("number 0:0 is not looked at", "granted mode.other /a/video0") {
      list(&$0, .deny, [])
      $0.change("/a/video0") { $0.rdev = DeviceNumber(major: 0, minor: 0) }
    },
    SceneRow("number 0:1 is", "denied 1 devcg /a/video0") {
      list(&$0, .deny, [])
      $0.change("/a/video0") { $0.rdev = DeviceNumber(major: 0, minor: 1) }
    },
    SceneRow("files are not looked at", "granted mode.other /a/f") {
      list(&$0, .deny, [])
      $0.add("/a/f", .regular, 0o666)
      $0.open("/a/f", [.readWrite])
    },
    SceneRow("nodev comes first", "denied 13 mount.nodev /a/video0") {
      list(&$0, .deny, [])
      $0.value.mounts[0].nodev = true
    },
    SceneRow("a block device", "granted mode.other /a/sda") {
      list(&$0, .deny, [exception(block: true, 81, 0, "rw")])
      $0.add("/a/sda", .blockDevice, 0o666)
      $0.open("/a/sda", [.readWrite])
    },
  ])
  func `refuse after the mode`(row: SceneRow) {
    row.check()
  }
}

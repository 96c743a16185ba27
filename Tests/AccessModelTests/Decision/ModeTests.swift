import AccessModel
import Testing

@Suite struct `Mode bits` {
  struct Row: Sendable {
    var mode: UInt16
    var uid: UInt32
    var gid: UInt32
    var groups: [UInt32] = []
    var expected: String
  }

  @Test(arguments: [
    Row(mode: 0o600, uid: 1000, gid: 0, expected: "granted mode.owner /a/video0"),
    Row(mode: 0o066, uid: 1000, gid: 1000, expected: "denied 13 mode.owner /a/video0"),
    Row(mode: 0o060, uid: 0, gid: 44, groups: [44], expected: "granted mode.group /a/video0"),
    Row(mode: 0o060, uid: 0, gid: 1000, expected: "granted mode.group /a/video0"),
    Row(
      mode: 0o606, uid: 0, gid: 44, groups: [7, 44, 3], expected: "denied 13 mode.group /a/video0"),
    Row(mode: 0o006, uid: 0, gid: 44, expected: "granted mode.other /a/video0"),
    Row(mode: 0o660, uid: 0, gid: 44, expected: "denied 13 mode.other /a/video0"),
    Row(mode: 0o444, uid: 0, gid: 44, expected: "denied 13 mode.other /a/video0"),
  ])
  func `one class decides and no other is asked`(row: Row) {
    var scene = Scene()
    scene.addCamera(mode: row.mode, uid: row.uid, gid: row.gid)
    scene.value.subject.groups = row.groups
    #expect(scene.answer == row.expected)
    #expect(scene.verdict == row.expected)
  }
}

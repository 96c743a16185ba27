import AccessModel
import TerminalScreen
import Testing

@testable import DeviceAccessCommands

@Suite struct `The screen of top` {
  /// Returns a screen with empty lines before its last line.
  private static func screen(_ text: String, foot: String, rows: Int) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return text + String(repeating: "\n", count: rows - lines.count) + foot + "\n"
  }

  @Test func `at 80 by 24`() throws {
    let scene = try TopScene(Machines.desk())
    #expect(
      scene.text
        == Self.screen(
          #"""
          devaccess top  6 devices, 5 allowed, 1 refused, 1 in use
            DEVICE                KIND↓   STATUS   RULE        USERS
          > /dev/video0           camera  allowed  acl.user    busy: cheese (4711)
            /dev/video1           camera  allowed  acl.user
            /dev/video10          camera  allowed  acl.user    free
            /dev/ttyUSB0          serial  allowed  mode.group  free
            /dev/ttyUSB1          serial  refused  mode.other  free
            /home/alice/Pictures  album   allowed  mode.owner
          """#,
          foot: "Enter explain  / search  s sort  r refresh  ? help  q quit", rows: 24))
  }

  @Test func `at 200 by 60`() throws {
    let scene = try TopScene(Machines.desk(), columns: 200, rows: 60)
    #expect(
      scene.text
        == Self.screen(
          #"""
          devaccess top  6 devices, 5 allowed, 1 refused, 1 in use
            DEVICE                KIND↓   STATUS   RULE        USERS                NAME
          > /dev/video0           camera  allowed  acl.user    busy: cheese (4711)  Integrated Camera
            /dev/video1           camera  allowed  acl.user                         Integrated Camera
            /dev/video10          camera  allowed  acl.user    free                 カメラ\x1b[31m 10
            /dev/ttyUSB0          serial  allowed  mode.group  free                 Adapter 0
            /dev/ttyUSB1          serial  refused  mode.other  free                 Adapter 1
            /home/alice/Pictures  album   allowed  mode.owner
          """#,
          foot: "Enter explain  / search  s sort  r refresh  ? help  q quit", rows: 60))
  }

  @Test func `at 40 by 10`() throws {
    var scene = try TopScene(Machines.desk(), columns: 40, rows: 10)
    #expect(
      scene.text
        == Self.screen(
          #"""
          6 devices, 5 allowed, 1 refused, 1 in u…
            DEVICE       STATUS   RULE     USERS
          > /dev/video0  allowed  acl.us…  busy: …
            /dev/video1  allowed  acl.us…
            …ev/video10  allowed  acl.us…  free
            …ev/ttyUSB0  allowed  mode.g…  free
            …ev/ttyUSB1  refused  mode.o…  free
            …e/Pictures  allowed  mode.o…
          """#,
          foot: "Enter / s r  ? help  q quit", rows: 10))
    scene.press(.end)
    #expect(
      scene.text
        == Self.screen(
          #"""
          6 devices, 5 allowed, 1 refused, 1 in u…
            DEVICE       STATUS   RULE     USERS
            /dev/video0  allowed  acl.us…  busy: …
            /dev/video1  allowed  acl.us…
            …ev/video10  allowed  acl.us…  free
            …ev/ttyUSB0  allowed  mode.g…  free
            …ev/ttyUSB1  refused  mode.o…  free
          > …e/Pictures  allowed  mode.o…
          """#,
          foot: "Enter / s r  ? help  q quit", rows: 10))
  }

  @Test func `without UTF-8`() throws {
    let scene = try TopScene(Machines.desk(), unicode: false)
    #expect(scene.text.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func `the details are the explain view, and who uses the device`() throws {
    let machine = Machines.desk()
    var scene = try TopScene(machine, rows: 30)
    scene.press(.enter)
    #expect(scene.lines[1] == "Looking.")
    try scene.observe(machine)
    #expect(
      scene.text
        == Self.screen(
          #"""
          devaccess top  /dev/video0
          allowed — read and write access to /dev/video0
          Device     Integrated Camera (usb 1-1, driver uvcvideo)
          Subject    user alice (1001); groups alice (1001), dialout (20)

          ✓  drwxr-xr-x   root  root   /
          ✓  drwxr-xr-x   root  root   dev     devtmpfs
          ✓  crw-rw----+  root  video  video0  device 81:0
             user::rw-
             user:alice:rw-  ←
             group::rw-
             mask::rw-
             other::---
          ↑  granted by acl.user: an access control list entry names this user, so only
             that entry applies

          Problem    Access to /dev/video0 is allowed, but cheese (process 4711, user
                     alice) is using it, and the device serves only one program at a time
                     (EBUSY). (BUSY)
          Fix        Close the program cheese (process 4711)
                     Do this only if all work in the program has been saved.

          v shows 1 more problem and the evidence.

          DEVICE       PROCESS  PID   USER   UNIT  HOW
          /dev/video0  cheese   4711  alice        rw, mapped
          """#,
          foot: "Esc back  v more", rows: 30))
  }

  @Test(arguments: [(1, 1), (2, 2), (7, 3), (20, 4), (40, 10), (80, 24), (200, 60), (1000, 300)])
  func `is never greater than the terminal, and has the selected row`(columns: Int, rows: Int)
    throws
  {
    for machine in [Machines.desk(), Machines.rack(0), Machines.rack(70)] {
      var scene = try TopScene(machine, columns: columns, rows: rows)
      let keys: [Key] = [
        .down, .pageDown, .end, .up, .character("s"), .character("S"), .character("/"),
        .character("u"), .backspace, .escape, .character("?"), .end, .pageDown, .escape, .home,
        .enter,
        .right, .pageDown, .character("v"), .end, .left, .escape, .character("k"),
      ]
      for key in keys {
        scene.press(key)
        try scene.observe(machine)
        let screen = scene.screen
        #expect(screen.lines.count <= rows)
        for line in screen.lines { #expect(line.width <= columns) }
        let isList = scene.design.mode == .list || scene.design.mode == .search
        if isList, !scene.design.table.entries.isEmpty, rows > 1 {
          #expect(
            screen.lines.count(where: { $0.text.hasPrefix(">") }) == 1, "\(key) \(scene.text)")
        }
        if let cursor = screen.cursor { #expect(cursor.row < rows && cursor.column < columns) }
      }
    }
  }

  @Test func `draws only what is seen of a thousand devices`() throws {
    var scene = TopScene(count: 1000)
    scene.press(.end)
    #expect(scene.paths.count == 20)
    #expect(scene.selected == "/dev/ttyUSB999")
    #expect(scene.lines.last?.hasSuffix("981-1000 of 1000") == true)
    // Compare the fastest of many runs, because load on the machine slows most of them down.
    let few = TopScene(count: 30)
    let (least, most) = try (fastest(few), fastest(scene))
    #expect(most < least * 10, "\(least) \(most)")
  }

  private func fastest(_ scene: TopScene) throws -> Duration {
    let clock = ContinuousClock()
    return try #require((0..<30).map { _ in clock.measure { _ = scene.screen } }.min())
  }

  @Test func `what is not its own has no control characters and takes its columns`() throws {
    let scene = try TopScene(Machines.desk(), columns: 200)
    #expect(scene.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    #expect(scene.text.contains("カメラ\\x1b[31m 10"))
    #expect(scene.screen.lines[2].width == 200)
  }
}

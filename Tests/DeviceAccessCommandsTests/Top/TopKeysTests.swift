import AccessModel
import DevicePermissionsTesting
import TerminalScreen
import Testing

@testable import DeviceAccessCommands

@Suite struct `The keys of top` {
  @Test func `search narrows the list as it is typed, and Escape shows all again`() throws {
    var scene = try TopScene(Machines.desk())
    let all = scene.paths
    scene.press(.character("/"))
    #expect(scene.screen.cursor == Screen.Cursor(row: 23, column: 1))
    var before = all.count
    for scalar in "ADAPTER 1".unicodeScalars {
      scene.press(.character(scalar))
      #expect(scene.paths.count <= before)
      before = scene.paths.count
    }
    #expect(scene.paths == ["/dev/ttyUSB1"])
    #expect(scene.lines.last == "/ADAPTER 1")
    scene.press(.enter)
    #expect(scene.design.mode == .list)
    #expect(scene.paths == ["/dev/ttyUSB1"])
    #expect(scene.lines[0].contains("1 of 6 devices"))
    scene.press(.escape)
    #expect(scene.paths == all)
    scene.press(.character("/"))
    scene.type("no such device")
    #expect(scene.paths.isEmpty)
    #expect(scene.text.contains("No device matches."))
    scene.press(.enter, .enter)
    #expect(scene.design.detail == nil)
  }

  @Test func `search finds what there is no room for, and what is shown escaped`() throws {
    let machine = Machines.laptop(running: "bob") { machine in
      for number in 1...14 {
        var process = HoldingProcess(id: Int32(100 + number), name: "Viewer\(number)")
        process.user = 1000
        machine.addHolder(DeviceHolder(process, DeviceHold()), of: "/dev/video0")
      }
    }
    var scene = try TopScene(machine, unicode: false, [.kind(.camera), .path("/dev/カメラ")])
    #expect(scene.paths.count > 1)
    #expect(!scene.text.contains("Viewer14"))
    scene.press(.character("/"))
    scene.type("viewer14")
    #expect(scene.paths == ["/dev/video0"])
    scene.press(.escape, .character("/"))
    scene.type("カメ")
    #expect(scene.paths == [#"/dev/\u{30ab}\u{30e1}\u{30e9}"#])
  }

  @Test func `the selected row stays selected while the list changes around it`() throws {
    let machine = Machines.desk()
    var scene = try TopScene(machine)
    while scene.selected != "/dev/ttyUSB1" { scene.press(.down) }
    scene.press(.character("s"))
    #expect(scene.selected == "/dev/ttyUSB1")
    machine.change { $0.removeDevice("/dev/ttyUSB0") }
    let later = try TopScene(machine)
    scene.design.take(TopScan(later))
    #expect(scene.selected == "/dev/ttyUSB1")
    machine.change { $0.removeDevice("/dev/ttyUSB1") }
    scene.design.take(TopScan(try TopScene(machine)))
    #expect(scene.selected != nil)
    #expect(!scene.paths.contains("/dev/ttyUSB1"))
  }

  @Test func `each column sorts, in numbers as people count, and both ways`() throws {
    var scene = try TopScene(Machines.rack(12))
    scene.press(.character("/"))
    scene.type("ttyUSB")
    scene.press(.enter)
    var orders: Set<[String]> = []
    for column in TopColumn.allCases {
      while scene.design.sort != column { scene.press(.character("s")) }
      let paths = scene.paths
      scene.press(.character("S"))
      let reversed = scene.paths
      scene.press(.character("S"))
      #expect(Set(reversed) == Set(paths))
      orders.insert(paths)
    }
    while scene.design.sort != .device { scene.press(.character("s")) }
    #expect(scene.paths == (0..<12).map { "/dev/ttyUSB\($0)" })
    scene.press(.character("S"))
    #expect(scene.paths == (0..<12).reversed().map { "/dev/ttyUSB\($0)" })
    // When sorted by answer, the allowed devices come first.
    while scene.design.sort != .status { scene.press(.character("s")) }
    scene.press(.character("S"))
    #expect(
      scene.paths.prefix(4) == ["/dev/ttyUSB0", "/dev/ttyUSB3", "/dev/ttyUSB6", "/dev/ttyUSB9"])
    #expect(orders.count > 1)
  }

  @Test func `only columns that are seen sort, and the first order comes back`() throws {
    var scene = try TopScene(Machines.desk(), columns: 40, rows: 10)
    var sorts: [TopColumn] = []
    for _ in 0..<5 {
      scene.press(.character("s"))
      sorts.append(scene.design.sort)
      if scene.design.sort != .kind {
        #expect(scene.lines[1].contains(scene.design.sort.title + "↓"))
      }
    }
    #expect(sorts == [.status, .rule, .users, .device, .kind])
  }

  @Test func `who uses a device comes first when sorted by users`() throws {
    var scene = try TopScene(Machines.desk())
    while scene.design.sort != .users { scene.press(.character("s")) }
    #expect(scene.paths.first == "/dev/video0")
    #expect(scene.text.contains("busy: cheese (4711)"))
  }

  @Test func `a path to another node of a device shows its users, too`() {
    var scene = TopScene(count: 0)
    var scan = TopScan([])
    var row = TopRow(id: "1", kind: TopRow.pathKind, path: "/tmp/port", answer: .allowed)
    row.node = "/dev/ttyUSB0"
    scan.rows = [row]
    scene.design.take(scan)
    let holder = DeviceHolder(HoldingProcess(id: 7, name: "picocom"), DeviceHold())
    scene.design.take(
      UseFacts(devices: [DeviceUse(node: "/tmp/port", holders: [holder])]), gaps: [])
    #expect(scene.text.contains("in use: picocom (7)"))
  }

  @Test func `the users in the details are those of now`() throws {
    let machine = Machines.desk()
    var scene = try TopScene(machine, rows: 40)
    scene.press(.enter)
    try scene.observe(machine)
    #expect(scene.lines.contains { $0.contains("cheese   4711  alice") })
    machine.change { $0.release("/dev/video0", by: 4711) }
    let targets = try #require(scene.design.usersQuestion).targets
    let use = try machine.use(of: targets)
    TopBlueprint().change(&scene.design, on: .foundUsers(use, gaps: []))
    #expect(!scene.text.contains("cheese"))
    #expect(scene.lines.contains { $0.contains("/dev/video0  not in use") }, "\(scene.text)")
  }

  @Test func `pages and ends`() throws {
    var scene = try TopScene(Machines.rack(100), rows: 24)
    let paths: [(Key, String)] = [
      (.pageDown, "/dev/ttyUSB19"), (.character("j"), "/dev/ttyUSB20"),
      (.character("k"), "/dev/ttyUSB19"), (.pageUp, "/dev/ttyUSB0"), (.up, "/dev/ttyUSB0"),
      (.character("G"), "/dev/ttyUSB99"), (.down, "/dev/ttyUSB99"),
      (.character("g"), "/dev/ttyUSB0"),
    ]
    scene.press(.character("/"))
    scene.type("tty")
    scene.press(.enter)
    for (key, path) in paths {
      scene.press(key)
      #expect(scene.selected == path, "\(key)")
    }
  }

  @Test func `quits from the list, and goes back from everywhere else`() throws {
    var scene = try TopScene(Machines.desk())
    scene.press(.character("?"), .character("q"))
    #expect(!scene.design.isOver)
    scene.press(.enter, .character("q"))
    #expect(!scene.design.isOver)
    scene.press(.character("/"), .character("q"))
    #expect(!scene.design.isOver)
    scene.press(.escape, .character("q"))
    #expect(scene.design.isOver)
  }
}

extension TopScan {
  /// Creates the scan that a scene shows.
  fileprivate init(_ scene: TopScene) {
    self.init([])
    rows = scene.design.rows
  }
}

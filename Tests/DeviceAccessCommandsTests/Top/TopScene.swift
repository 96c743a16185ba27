import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import TerminalScreen

@testable import DeviceAccessCommands

/// The screen of `devaccess top` for a machine in memory.
struct TopScene {
  var design: TopDesign

  /// Scans a machine once, like the command without arguments.
  init(
    _ machine: InMemoryMachine, columns: Int = 80, rows: Int = 24, unicode: Bool = true,
    _ targets: [Question.Target]? = nil
  ) throws {
    design = TopDesign(
      style: Style(color: false, unicode: unicode), size: ScreenSize(columns: columns, rows: rows))
    let questions = (targets ?? DeviceKind.all.map { .kind($0) }).map { target in
      var question = Question(target)
      question.names = .none
      return TopQuestion(question: question, isNamed: targets != nil)
    }
    design.take(TopScan(try questions.map { ($0, try machine.facts(for: $0.question)) }))
    if let users = design.usersQuestion {
      design.take(try machine.use(of: users.targets), gaps: [])
    }
  }

  /// Creates a list of many devices without scanning a machine.
  init(count: Int) {
    design = TopDesign(style: .plain, size: .standard)
    var scan = TopScan([])
    scan.rows = (0..<count).map { number in
      var row = TopRow(
        id: String(number), kind: "serial", path: "/dev/ttyUSB\(number)", answer: .allowed)
      row.node = row.path
      row.name = "Adapter \(number)"
      row.rule = .modeGroup
      return row
    }
    design.take(scan)
  }

  mutating func press(_ keys: Key...) {
    for key in keys { TopBlueprint().change(&design, on: .key(key)) }
  }

  mutating func type(_ text: String) {
    for scalar in text.unicodeScalars { press(.character(scalar)) }
  }

  mutating func resize(_ columns: Int, _ rows: Int) {
    let size = ScreenSize(columns: columns, rows: rows)
    TopBlueprint().change(&design, on: .resized(size))
  }

  /// Answers the question about the details on the screen.
  mutating func observe(_ machine: InMemoryMachine) throws {
    guard let question = design.detailQuestion else { return }
    var named = question
    named.names = .few
    TopBlueprint().change(&design, on: .observed(question, try machine.facts(for: named)))
  }

  var screen: Screen { TopScreen(design).screen }
  var text: String { screen.text }
  /// The nonempty lines.
  var lines: [String] { text.split(separator: "\n").map(String.init) }
  /// The paths of the visible rows.
  var paths: [String] {
    lines.compactMap { line in
      let word = line.dropFirst(2).prefix { $0 != " " }
      return word.hasPrefix("/") ? String(word) : nil
    }
  }

  /// The path of the selected row, which is marked on the screen.
  var selected: String? {
    lines.first { $0.hasPrefix("> ") }.map { String($0.dropFirst(2).prefix { $0 != " " }) }
  }
}

extension Machines {
  /// Returns a machine with devices of several kinds, some of which are in use.
  static func desk() -> InMemoryMachine {
    InMemoryMachine { machine in
      machine.addUser("bob", id: 1000)
      machine.addGroup("dialout", id: 20)
      machine.addUser("alice", id: 1001, groups: ["dialout"])
      machine.addCamera(metadataSibling: true)
      machine.addCamera(10, name: "カメラ\u{1B}[31m 10")
      machine.addDevice(serial(0), group: "dialout")
      machine.addDevice(serial(1))
      machine.addDirectory("/home/alice/Pictures", owner: "alice", group: "alice")
      machine.run(as: "alice")
      machine.logIn("alice")
      machine.hold(
        "/dev/video0", by: "cheese", pid: 4711, user: "alice", DeviceHold(isMapped: true))
    }
  }

  /// Returns a machine with many serial ports.
  static func rack(_ count: Int) -> InMemoryMachine {
    InMemoryMachine { machine in
      machine.addGroup("dialout", id: 20)
      machine.addUser("alice", id: 1001, groups: ["dialout"])
      for number in 0..<count {
        machine.addDevice(serial(number), group: number % 3 == 0 ? "dialout" : "root")
      }
      machine.run(as: "alice")
    }
  }

  private static func serial(_ number: Int) -> DeviceFacts {
    var device = DeviceFacts(
      node: "/dev/ttyUSB\(number)",
      sysfsPath: "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-\(number + 20)/tty/ttyUSB\(number)",
      subsystem: "tty", kernelName: "ttyUSB\(number)")
    device.name = "Adapter \(number)"
    device.number = DeviceNumber(major: 188, minor: UInt32(clamping: number))
    return device
  }
}

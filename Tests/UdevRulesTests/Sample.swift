import AccessModel
import UdevRules

/// A USB camera, and rules that are applied to it.
enum Sample {
  static let interface = UdevRuleDevice(
    path: "/devices/pci0/usb1/1-2/1-2:1.0", subsystem: "usb", driver: "uvcvideo",
    attributes: ["bInterfaceClass": .present("0e")], attributesAreComplete: true)

  static let product = UdevRuleDevice(
    path: "/devices/pci0/usb1/1-2", subsystem: "usb", driver: "usb", node: "/dev/bus/usb/001/002",
    number: UdevRuleDevice.Number(major: 189, minor: 1),
    attributes: ["idVendor": .present("046d"), "idProduct": .present("0825  ")],
    attributesAreComplete: true, properties: ["ID_MODEL": "Cam", "ID_BUS": "usb"],
    tags: ["parental", "bygone"], currentTags: ["parental"])

  static let camera = UdevRuleDevice(
    path: "/devices/pci0/usb1/1-2/1-2:1.0/video4linux/video0", subsystem: "video4linux",
    node: "/dev/video0", number: UdevRuleDevice.Number(major: 81, minor: 0),
    attributes: ["name": .present("A Camera \t"), "index": .present("0")],
    attributesAreComplete: true, properties: ["DEVNAME": "/dev/video0", "MAJOR": "81"])

  static let event = UdevRuleEvent(
    action: "add", device: camera, parents: [interface, product],
    record: UdevRuleEvent.Record(properties: ["OLD": "before"], tags: ["earlier"]))

  static var environment: UdevRuleEnvironment {
    var environment = UdevRuleEnvironment(version: UdevRuleVersion(252, release: 39))
    environment.users = ["alice": .present(1000), "nobody-has-it": .absent]
    environment.groups = ["video": .present(44), "nobody-has-it": .absent]
    environment.commandLine = "quiet debug=1 'a b'=\"c d\" debug=2"
    environment.constants = ["arch": "x86-64"]
    environment.settings = ["kernel/ostype": .present("Linux\n")]
    environment.files = ["/etc": .present(0o40755), "/missing": .absent]
    environment.contents = ["/file": .present("A=1\n# B=2\nC=\"x y\"\nbad\n")]
    environment.programs = [
      "tell": .init(succeeds: true, output: "one two  three\n"), "fail": .init(succeeds: false),
    ]
    environment.builtins = ["usb_id": .init(succeeds: true, properties: ["ID_SERIAL": "7"])]
    environment.devices = ["dmi/id": .present(dmi), "dmi/none": .absent]
    return environment
  }

  private static let dmi = UdevRuleDevice(
    path: "/devices/virtual/dmi/id", attributes: ["board": .present("X1")],
    attributesAreComplete: true)

  /// Returns a version such as `252.39`, or `252` if the stable release is unknown.
  static func version(_ text: String) -> UdevRuleVersion {
    let numbers = text.split(separator: ".").compactMap { Int($0) }
    return UdevRuleVersion(numbers[0], release: numbers.dropFirst().first)
  }

  static func file(
    _ text: String, path: String = "/etc/udev/rules.d/50-a.rules", version: UdevRuleVersion = 252
  ) -> UdevRuleFile {
    UdevRuleFile(path: path, bytes: Array(text.utf8), version: version)
  }

  /// Returns the model's prediction for the event of the camera.
  static func report(
    _ texts: String..., event: UdevRuleEvent = event, environment: UdevRuleEnvironment = environment
  ) -> UdevRuleReport {
    let files = texts.enumerated().map {
      file($1, path: "/etc/udev/rules.d/\(50 + $0)-a.rules", version: environment.version)
    }
    return UdevRuleSet(files).evaluate(event, environment)
  }

  /// Returns whether a match succeeds.
  static func holds(
    _ match: String, event: UdevRuleEvent = event, environment: UdevRuleEnvironment = environment
  ) -> Bool? {
    let report = report(match + #", ENV{HELD}="yes""#, event: event, environment: environment)
    return report.propertyDoubts["HELD"] == nil ? report.recorded["HELD"] == "yes" : nil
  }

  /// Returns the value that a property gets after substitution.
  static func expanded(_ value: String, before: String = "") -> String? {
    report(before, #"ENV{VALUE}=""# + value + #"""#).recorded["VALUE"]?.description
  }
}

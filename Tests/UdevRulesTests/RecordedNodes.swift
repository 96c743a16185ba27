import AccessModel
import Testing
import UdevRules

/// Video nodes with the same parent on a real machine, as described by its udev.
struct RecordedNodes: CustomTestStringConvertible, Sendable {
  var machine: String
  var names: [String]
  /// The parent, below `/sys/devices`.
  var below: String
  var driver: String?
  /// The attribute `index` of each node; empty if it was not recorded.
  var indexes: [Int] = []
  var capabilities: String?
  var product: String?
  /// The vendor and product IDs on USB.
  var usb: String?
  var serial: String?
  /// The properties `ID_PATH` and `ID_FOR_SEAT`.
  var path: String?
  var seat: String?
  /// All tags, and the tags of the last event if udev reported them.
  var tags: Set<UdevRuleText>
  var current: Set<UdevRuleText>?

  var testDescription: String { "\(machine), \(below)" }

  /// The tags that do not come from the distribution's rules, but from snap packages or udev before
  /// 174.
  var tagsOfOthers: Set<UdevRuleText> {
    tags.filter { $0 == "udev-acl" || $0.description.hasPrefix("snap_") }
  }

  /// An additional rule of the machine, which removes the tag for users from the raw nodes of an
  /// image processor.
  var ownRule: UdevRuleFile? {
    guard product == "ipu7" else { return nil }
    return Sample.file(
      #"SUBSYSTEM=="video4linux", DRIVERS=="intel_ipu7_isys.isys", TAG-="uaccess""#,
      path: "/usr/lib/udev/rules.d/72-image-processor.rules")
  }

  /// The properties that udev recorded for each node.
  var properties: [UdevRuleText: UdevRuleText] {
    var properties = fromProgram
    properties.merge(fromUSB) { old, _ in old }
    properties["ID_PATH"] = path.map { UdevRuleText($0) }
    properties["ID_FOR_SEAT"] = seat.map { UdevRuleText($0) }
    return properties
  }

  private var fromProgram: [UdevRuleText: UdevRuleText] {
    guard let capabilities, let product else { return [:] }
    return [
      "ID_V4L_VERSION": "2", "ID_V4L_PRODUCT": UdevRuleText(product),
      "ID_V4L_CAPABILITIES": UdevRuleText(capabilities),
    ]
  }

  private var fromUSB: [UdevRuleText: UdevRuleText] {
    guard let usb = usb?.split(separator: ":") else { return [:] }
    var properties: [UdevRuleText: UdevRuleText] = [
      "ID_BUS": "usb", "ID_VENDOR_ID": "\(usb[0])", "ID_MODEL_ID": "\(usb[1])",
    ]
    properties["ID_SERIAL_SHORT"] = serial.map { UdevRuleText($0) }
    return properties
  }

  /// Returns the facts that the rules use apart from the device.
  ///
  /// If `isReported` is `true`, they include the results of udev's builtin commands and of its
  /// program for cameras.
  func environment(of name: String, isReported: Bool) -> UdevRuleEnvironment {
    var environment = UdevRuleEnvironment(version: UdevRuleVersion(252, release: 39))
    environment.groups = ["video": .present(44)]
    environment.files["/sys/devices/\(below)/video4linux/\(name)/index"] =
      indexes.isEmpty ? .absent : .present(0o100444)
    guard isReported else { return environment }
    let printed = fromProgram.map { "\($0)=\($1)\n" }.joined()
    environment.programs["v4l_id /dev/\(name)"] = .init(
      succeeds: !printed.isEmpty, output: UdevRuleText(printed))
    // The hardware database contains none of the devices.
    let ids = fromUSB
    environment.builtins[
      "hwdb 'camera:usb:v\(ids["ID_VENDOR_ID"] ?? "")p\(ids["ID_MODEL_ID"] ?? ""):name::'"] =
      .init(succeeds: false)
    environment.builtins["usb_id"] = .init(succeeds: usb != nil, properties: fromUSB)
    environment.builtins["path_id"] = .init(
      succeeds: path != nil,
      properties: path.map {
        ["ID_PATH": UdevRuleText($0), "ID_PATH_TAG": UdevRuleText(Self.tag($0))]
      } ?? [:])
    return environment
  }

  /// Returns a path with the characters that a tag allows.
  private static func tag(_ path: String) -> String {
    String(path.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "_" })
  }

  /// Returns the event that adds a node.
  func event(of name: String) -> UdevRuleEvent {
    let number = UdevRuleDevice.Number(major: 81, minor: 0)
    var device = UdevRuleDevice(
      path: "/devices/\(below)/video4linux/\(name)", subsystem: "video4linux",
      node: "/dev/\(name)", number: number, attributesAreComplete: true,
      properties: [
        "ACTION": "add", "SUBSYSTEM": "video4linux", "MAJOR": "81", "MINOR": "0",
        "DEVNAME": "/dev/\(name)", "DEVPATH": "/devices/\(below)/video4linux/\(name)",
      ])
    if let place = names.firstIndex(of: name), place < indexes.count {
      device.attributes["index"] = .present("\(indexes[place])")
    }
    return UdevRuleEvent(action: "add", device: device, parents: parents)
  }

  private var parents: [UdevRuleDevice] {
    var parents: [UdevRuleDevice] = []
    var path = "/devices"
    for part in below.split(separator: "/") {
      path += "/\(part)"
      guard path != "/devices/virtual" else { continue }
      let digits = part.prefix(4)
      let isPCI = digits.allSatisfy(\.isNumber) && part.contains(".") && digits.count == 4
      let isUSB =
        part.hasPrefix("usb") && part.dropFirst(3).allSatisfy(\.isNumber)
        || part.contains("-") && part.first?.isNumber == true
      var parent = UdevRuleDevice(
        path: UdevRuleText(path), subsystem: isUSB ? "usb" : isPCI ? "pci" : nil,
        attributesAreComplete: true)
      if isUSB, !part.contains(":"), let usb = usb?.split(separator: ":") {
        parent.attributes = ["idVendor": .present("\(usb[0])"), "idProduct": .present("\(usb[1])")]
      }
      parents.insert(parent, at: 0)
    }
    if !parents.isEmpty { parents[0].driver = driver.map { UdevRuleText($0) } }
    return parents
  }
}

internal import UdevRules

/// A file of udev's rules, whatever its bytes are.
struct FuzzedRules {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads the file as an older and a newer udevd do, and applies it to a device.
  ///
  /// - Returns: Whether a line of it is kept.
  func check() throws(BrokenPromise) -> Bool {
    var isUnderstood = false
    for version in [UdevRuleVersion(252, release: 39), 258] {
      let file = UdevRuleFile(path: "/etc/udev/rules.d/50-a.rules", bytes: bytes, version: version)
      try check(file)
      let report = UdevRuleSet([file]).evaluate(Self.event, UdevRuleEnvironment(version: version))
      guard report.outcomes.count <= file.lines.count else {
        throw BrokenPromise("\(report.outcomes.count) outcomes of \(file.lines.count) lines")
      }
      isUnderstood = isUnderstood || !file.lines.isEmpty
    }
    return isUnderstood
  }

  private func check(_ file: UdevRuleFile) throws(BrokenPromise) {
    var last = 0
    for (index, line) in file.lines.enumerated() {
      guard line.number > last else { throw BrokenPromise("line \(line.number) after \(last)") }
      last = line.numbers.upperBound
      if let target = line.target, target <= index || target >= file.lines.count {
        throw BrokenPromise("line \(line.number) leads to \(target)")
      }
      guard line.tokens.map(\.key) == line.tokens.map(\.key).sorted() else {
        throw BrokenPromise("line \(line.number) is not in udev's order")
      }
    }
    guard file.problems.allSatisfy({ $0.line > 0 && $0.line <= bytes.count + 1 }) else {
      throw BrokenPromise("a problem of a line that does not exist")
    }
  }

  private static let event = UdevRuleEvent(
    action: "add",
    device: UdevRuleDevice(
      path: "/devices/usb1/1-2/video4linux/video0", subsystem: "video4linux", node: "/dev/video0",
      number: UdevRuleDevice.Number(major: 81, minor: 0),
      attributes: ["name": .present("Camera "), "index": .absent],
      properties: ["DEVNAME": "/dev/video0", "MAJOR": "81"]),
    parents: [UdevRuleDevice(path: "/devices/usb1/1-2", subsystem: "usb", driver: "usb")])
}

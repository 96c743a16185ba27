/// Settings that a file beside a unit adds to it (systemd.unit(5)).
struct UnitDropIn: Hashable, Sendable {
  /// The unit that the settings are for.
  var unit: String
  /// The settings, one line each.
  var lines: [String]
  /// The name of the file, without its suffix.
  var name: String

  init(unit: String, lines: [String], name: String) {
    self.unit = unit
    self.lines = lines
    self.name = name
  }

  /// The commands that add the settings to the file, which may hold those for another device.
  var commands: [String] {
    let directory = "/etc/systemd/system/\(unit).d"
    let section = unit.hasSuffix(".slice") ? "[Slice]" : "[Service]"
    let text = ([section] + lines).map(\.shellQuoted).joined(separator: " ")
    return [
      "mkdir -p \(directory.shellQuoted)",
      "printf '%s\\n' \(text) >> \("\(directory)/\(name).conf".shellQuoted)",
    ]
  }
}

extension Remedy.Step {
  /// A step that writes drop-ins and restarts the service that they are for.
  static func dropIns(
    _ dropIns: [UnitDropIn], restarting service: String, changes: [FactsChange]
  ) -> Remedy.Step {
    var step = Remedy.Step(.administrator, changes: changes)
    step.dropIns = dropIns
    step.service = service
    step.commands =
      dropIns.flatMap(\.commands)
      + ["systemctl daemon-reload", "systemctl restart \(service.shellOperand)"]
    return step
  }

  /// Both steps as one where both change the settings of one service: one file for each unit, and
  /// one restart.
  func merged(with other: Remedy.Step) -> Remedy.Step? {
    guard let service, service == other.service, !dropIns.isEmpty || !other.dropIns.isEmpty else {
      return nil
    }
    var all = dropIns
    for dropIn in other.dropIns {
      guard let index = all.firstIndex(where: { $0.unit == dropIn.unit }) else {
        all.append(dropIn)
        continue
      }
      all[index].lines += dropIn.lines.filter { !all[index].lines.contains($0) }
      all[index].name = "devaccess"
    }
    return .dropIns(all, restarting: service, changes: changes + other.changes)
  }
}

extension String {
  /// Whether systemd reads the text as one word that stands for itself.
  var isConfigurationWord: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "\\")
          && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'") && byte != UInt8(ascii: ":")
      }
  }
}

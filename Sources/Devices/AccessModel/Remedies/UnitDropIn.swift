/// Settings that a drop-in file adds to a unit (systemd.unit(5)).
struct UnitDropIn: Hashable, Sendable {
  /// The unit that the settings apply to.
  var unit: String
  /// The settings, one line per element.
  var lines: [String]
  /// The name of the file, without its suffix.
  var name: String

  init(unit: String, lines: [String], name: String) {
    self.unit = unit
    self.lines = lines
    self.name = name
  }

  /// The commands that append the settings to the file, which may already contain others.
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
  /// Creates a step that writes drop-ins and restarts the service that they affect.
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

  /// Combines two steps that change the settings of the same service.
  ///
  /// The combined step writes one file per unit and restarts the service once.
  ///
  /// - Returns: The step; `nil` if the steps cannot be combined.
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
  /// A Boolean value that indicates whether systemd interprets the text literally and as one word.
  ///
  /// A colon separates the parts of some words, such as those of `BindPaths=`.
  var isConfigurationWord: Bool { isConfigurationPath && !utf8.contains(UInt8(ascii: ":")) }

  /// A Boolean value that indicates whether systemd interprets the text literally in a list of
  /// paths, such as `ReadWritePaths=`.
  var isConfigurationPath: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "\\")
          && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")
      }
  }
}

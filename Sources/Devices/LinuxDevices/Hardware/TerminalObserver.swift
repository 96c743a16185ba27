internal import AccessModel

/// Finds the services that reserve a terminal for logins.
///
/// systemd starts agetty(8) for a serial port in `serial-getty@.service`. The control group of that
/// service exists while it runs, so no D-Bus call is needed.
struct TerminalObserver {
  var roots: MachineRoots

  /// The slices of login services, whose names systemd escapes.
  private static let slices = [
    (slice: "system-serial\\x2dgetty.slice", service: "serial-getty"),
    (slice: "system-getty.slice", service: "getty"),
  ]

  /// Returns the running services, by the nodes that they reserve.
  func keepers(of nodes: [String]) -> [String: String] {
    var keepers: [String: String] = [:]
    if nodes.isEmpty { return keepers }
    for hierarchy in ControlGroupFolder.hierarchies(roots) {
      for (slice, service) in Self.slices {
        let group = hierarchy.group("system.slice/\(slice)")
        let running = Set(group.names)
        for node in nodes where node.hasPrefix("/dev/") {
          let unit = "\(service)@\(Self.escaped(node.dropFirst(5))).service"
          if running.contains(unit), group.group(unit).hasProcesses { keepers[node] = unit }
        }
      }
    }
    return keepers
  }

  /// Returns the instance name for a path, escaped as by systemd-escape(1).
  private static func escaped(_ name: Substring) -> String {
    var text = ""
    for (index, byte) in name.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "/"): text += "-"
      case UInt8(ascii: "."):
        text += index == 0 ? "\\x2e" : "."
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: ":"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16)
        text += "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return text
  }
}

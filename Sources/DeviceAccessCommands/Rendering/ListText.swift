internal import AccessModel

/// What `devaccess list` prints: a table.
struct ListText: Sendable {
  let kind: DeviceKind
  let entries: [DeviceEntry]
  let style: Style

  var text: String {
    guard !entries.isEmpty else {
      return "no \(style.safe(kind.name)) devices: the device database lists none "
        + "in subsystem \(style.safe(kind.subsystem ?? "none"))\n"
    }
    var columns = Columns()
    columns.add(["NODE", "ROLE", "ACCESS", "DRIVER", "BUS", "SEAT", "NAME"], tone: .heading)
    for entry in entries {
      let device = entry.device
      columns.add([
        (device.node.map { style.safe($0) } ?? "(\(style.safe(device.kernelName)))", nil),
        (device.roleText, nil), (entry.accessText, entry.tone),
        (device.driver.map { style.safe($0, limit: 32) } ?? "-", nil),
        (device.bus.map { style.safe($0, limit: 16) } ?? "-", nil),
        (style.safe(device.seat, limit: 32), nil),
        (device.name.map { style.safe($0, limit: 64) } ?? "-", nil),
      ])
    }
    return columns.lines(style: style).joined(separator: "\n") + "\n"
  }
}

extension DeviceEntry {
  /// `rw`, `r-`, `-w` or `--`; `r,w` when each alone is granted and both at once are not; a
  /// question mark for what is not known.
  var accessText: String {
    if read == .granted, write == .granted, let readWrite, readWrite != .granted { return "r,w" }
    return letter("r", read) + letter("w", write)
  }

  private func letter(_ letter: String, _ outcome: Outcome?) -> String {
    switch outcome {
    case .granted: letter
    case .denied: "-"
    case .undecided, nil: "?"
    }
  }

  fileprivate var tone: Style.Tone {
    switch (read, write) {
    case (.granted, .granted): .good
    case (.denied, .denied): .bad
    default: .unsure
    }
  }
}

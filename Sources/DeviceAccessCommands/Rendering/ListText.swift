internal import AccessModel
internal import DevicePermissions

/// What `devaccess list` prints: a table.
struct ListText: Sendable {
  let kind: DeviceKind
  let listings: [DeviceListing]
  let style: Style

  var text: String {
    guard !listings.isEmpty else {
      return "no \(style.safe(kind.name)) devices: the device database lists none "
        + "in subsystem \(style.safe(kind.subsystem ?? "none"))\n"
    }
    var columns = Columns()
    columns.add(["NODE", "ROLE", "ACCESS", "DRIVER", "BUS", "SEAT", "NAME"], tone: .heading)
    for listing in listings {
      let device = listing.device
      columns.add([
        (device.node.map { style.safe($0) } ?? "(\(style.safe(device.kernelName)))", nil),
        (device.roleText, nil), (listing.accessText, listing.tone),
        (device.driver.map { style.safe($0, limit: 32) } ?? "-", nil),
        (device.bus.map { style.safe($0, limit: 16) } ?? "-", nil),
        (style.safe(device.seat, limit: 32), nil),
        (device.name.map { style.safe($0, limit: 64) } ?? "-", nil),
      ])
    }
    return columns.lines(style: style).joined(separator: "\n") + "\n"
  }
}

extension DeviceListing {
  /// `rw`, `r-`, `-w` or `--`; `r,w` when each alone is granted and both at once are not; `??`
  /// when it is not known.
  var accessText: String {
    guard let access else { return "??" }
    if access.isSuperset(of: [.read, .write]), !allowsBoth { return "r,w" }
    return (access.contains(.read) ? "r" : "-") + (access.contains(.write) ? "w" : "-")
  }

  fileprivate var tone: Style.Tone {
    guard let access else { return .unsure }
    return allowsBoth ? .good : access.isEmpty ? .bad : .unsure
  }
}

internal import AccessModel
internal import DevicePermissions

/// What `devaccess list` prints: a table.
struct ListText: Sendable {
  let kind: DeviceKind
  let listings: [DeviceListing]
  let style: Style
  /// What opening the devices came to, where each of them was opened.
  var attempts: [Attempt]?

  var text: String {
    guard !listings.isEmpty else {
      return "no \(style.safe(kind.name)) devices: the device database lists none "
        + "in subsystem \(style.safe(kind.subsystem ?? "none"))\n"
    }
    var columns = Columns()
    let opened = attempts == nil ? [] : ["OPEN"]
    columns.add(
      ["NODE", "ROLE", "ACCESS"] + opened + ["DRIVER", "BUS", "SEAT", "NAME"], tone: .heading)
    for listing in listings {
      let device = listing.device
      columns.add(
        [
          (device.node.map { style.safe($0) } ?? "(\(style.safe(device.kernelName)))", nil),
          (device.roleText, nil), (listing.accessText, listing.tone),
        ] + opening(of: device) + [
          (device.driver.map { style.safe($0, limit: 32) } ?? "-", nil),
          (device.bus.map { style.safe($0, limit: 16) } ?? "-", nil),
          (style.safe(device.seat, limit: 32), nil),
          (device.name.map { style.safe($0, limit: 64) } ?? "-", nil),
        ])
    }
    return columns.lines(style: style).joined(separator: "\n") + "\n"
  }

  /// What opening a device for all that programs need came to: `ok`, or the name of the error.
  private func opening(of device: DeviceFacts) -> [(String, Style.Tone?)] {
    guard let attempts else { return [] }
    guard let attempt = attempts.first(where: { $0.path == device.node }) else {
      return [("not tried", .unsure)]
    }
    return [attempt.errno == 0 ? ("ok", .good) : (ErrorNumber(attempt.errno).name, .bad)]
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

internal import AccessModel
internal import DevicePermissions

/// The output of `devaccess list`: each device with its nodes below it.
struct ListText: Sendable {
  let lists: [DeviceList]
  let style: Style
  /// The results of opening the devices; `nil` if none was opened.
  var attempts: [Attempt]?
  /// The users of the devices; `nil` if they were not scanned.
  var use: UseFacts?

  var text: String {
    if lists.count == 1 { return lines(lists[0]).joined(separator: "\n") + "\n" }
    let full = lists.filter { !$0.listings.isEmpty }
    let empty = lists.filter(\.listings.isEmpty).map { style.safe($0.kind.name) }
    var lines = full.flatMap { list in
      [style.paint(style.safe(list.kind.name), .heading)]
        + self.lines(list).map { "  " + $0 } + [""]
    }
    if !empty.isEmpty {
      lines += Wrapping.lines(
        "No devices found for: " + empty.joined(separator: ", "), width: style.width, rest: "  ")
    } else {
      lines.removeLast()
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(_ list: DeviceList) -> [String] {
    let groups = list.groups
    guard !groups.isEmpty else {
      let name = style.safe(list.kind.name)
      let subsystem = style.safe(list.kind.subsystem ?? "none")
      return ["no \(name) devices found in the subsystem \(subsystem)"]
    }
    var columns = Columns()
    for listing in groups.flatMap(\.listings) {
      let device = listing.device
      columns.add(
        [
          (device.node.map { style.safe($0) } ?? "(\(style.safe(device.kernelName)))", nil),
          (listing.accessText, listing.tone),
        ] + opening(of: device) + occupation(of: device) + [
          (device.role == .other ? "" : device.roleText, nil)
        ])
    }
    var rows = columns.lines(style: style)[...]
    let numberWidth = String(groups.count).count
    return groups.enumerated().flatMap { index, group in
      let number = String(index + 1)
      let label = String(repeating: " ", count: numberWidth - number.count) + number + ". "
      let indentation = String(repeating: " ", count: numberWidth + 2)
      let heading = Wrapping.lines(
        group.device.summary(style), width: style.width - 2, first: label, rest: indentation)
      let nodes = rows.prefix(group.listings.count).map { indentation + $0 }
      rows = rows.dropFirst(group.listings.count)
      return heading + nodes
    }
  }

  /// Returns the column with the users of a device; no column if the users were not scanned.
  private func occupation(of device: DeviceFacts) -> [(String, Style.Tone?)] {
    guard let use else { return [] }
    guard let own = use.use(of: device) else { return [("", nil)] }
    let text = OccupationText(own, use.occupation(of: own), style)
    return [(text.text, text.tone)]
  }

  /// Returns the column with the result of opening a device; no column if no device was opened.
  private func opening(of device: DeviceFacts) -> [(String, Style.Tone?)] {
    guard let attempts else { return [] }
    guard let attempt = attempts.first(where: { $0.path == device.node }) else {
      return [("not opened", .unsure)]
    }
    return [
      attempt.errno == 0 ? ("opens", .good) : ("open: \(attempt.errno.name)", .bad)
    ]
  }
}

extension DeviceListing {
  /// The access as `rw`, `r-`, `-w` or `--`, or a note if there is no plain answer.
  ///
  /// The value is `r,w` if reading and writing are allowed, but not in one open. It is `??` if the
  /// access is unknown, `absent` if the node does not exist, and `no node` if the device has none.
  var accessText: String {
    guard device.node != nil else { return "no node" }
    guard let access else { return "??" }
    if isAbsent { return "absent" }
    if access.isSuperset(of: [.read, .write]), !allowsBoth { return "r,w" }
    return (access.contains(.read) ? "r" : "-") + (access.contains(.write) ? "w" : "-")
  }

  fileprivate var tone: Style.Tone {
    guard let access else { return .unsure }
    return allowsBoth ? .good : access.isEmpty ? .bad : .unsure
  }
}

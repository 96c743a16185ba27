internal import AccessModel

/// Finds the use of the device in a row.
struct TopUses {
  private let uses: [String: DeviceUse]
  /// The uses by the node that udev created.
  private let devices: [String: DeviceUse]

  init(_ use: UseFacts?) {
    // The requested path may be a symbolic link, or another spelling of the node's path.
    uses = Dictionary(
      (use?.devices ?? []).flatMap { use in ([use.node] + use.askedAs).map { ($0, use) } },
      uniquingKeysWith: { first, _ in first })
    devices = Dictionary(
      (use?.devices ?? []).map { ($0.udevNode, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the use of the device in a row; `nil` if its users were not scanned.
  subscript(row: TopRow) -> DeviceUse? {
    // The path may lead to a node that udev did not create.
    uses[row.path] ?? row.node.flatMap { devices[$0] }
  }
}

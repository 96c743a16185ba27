internal import AccessModel

/// Who uses the device of each row.
struct TopUses {
  private let uses: [String: DeviceUse]
  /// By the nodes that udev knows.
  private let devices: [String: DeviceUse]

  init(_ use: UseFacts?) {
    // A path that was asked for may be a link, or another spelling.
    uses = Dictionary(
      (use?.devices ?? []).flatMap { use in ([use.node] + use.askedAs).map { ($0, use) } },
      uniquingKeysWith: { first, _ in first })
    devices = Dictionary(
      (use?.devices ?? []).map { ($0.udevNode, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// `nil` where that was not looked at.
  subscript(row: TopRow) -> DeviceUse? {
    // A path may lead to another node than the one that udev made.
    uses[row.path] ?? row.node.flatMap { devices[$0] }
  }
}

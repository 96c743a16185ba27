package import AccessModel

/// A device that the broker may open, as udev and sysfs describe it.
package struct KnownDevice: Hashable, Sendable {
  package let kind: DeviceKind
  /// Where the node lies.
  package let node: String
  package let number: DeviceNumber
  /// What tells it from a device that gets the same number later.
  package let sysfsPath: String
  /// What it calls itself; untrusted.
  package let name: String?

  package init(
    kind: DeviceKind, node: String, number: DeviceNumber, sysfsPath: String, name: String?
  ) {
    self.kind = kind
    self.node = node
    self.number = number
    self.sysfsPath = sysfsPath
    self.name = name
  }

  /// The name as a dialog may show it.
  package var shownName: String { DialogText.plain(name ?? "") ?? "unnamed" }
}

package import AccessModel

/// A device that the broker may open, as udev and sysfs describe it.
package struct KnownDevice: Hashable, Sendable {
  package let kind: DeviceKind
  /// The path of the node.
  package let node: String
  package let number: DeviceNumber
  /// The path in sysfs, which differs from that of a later device with the same number.
  package let sysfsPath: String
  /// The name that the device reports; untrusted.
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

  /// The name in the form that is safe for a dialog.
  package var shownName: String { DialogText.plain(name ?? "") ?? "unnamed" }
}

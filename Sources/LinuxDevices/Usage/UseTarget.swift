internal import AccessModel

/// A device whose holders are looked for.
struct UseTarget: Sendable {
  /// The canonical path of the node.
  var node: String
  /// The kind that was asked for.
  var kind: String?
  /// What is known of the device.
  var device: DeviceFacts?
  var number: NodeNumber
  /// The node itself, as the tables of mappings name it.
  var identity: FileIdentity
}

internal import AccessModel

/// The type and number that identify the device of a node, regardless of the node's path.
struct NodeNumber: Hashable, Sendable {
  var isBlock: Bool
  var number: DeviceNumber
}

internal import AccessModel

/// What makes two nodes one device: their type and their number, whatever they are called.
struct NodeNumber: Hashable, Sendable {
  var isBlock: Bool
  var number: DeviceNumber
}

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

extension [UseTarget] {
  /// Adds targets, each node once: a kind and a path may mean the same device.
  mutating func add(_ targets: [UseTarget]) {
    let known = Dictionary(indices.map { (self[$0].node, $0) }) { first, _ in first }
    for target in targets {
      if let index = known[target.node] {
        self[index].kind = self[index].kind ?? target.kind
      } else {
        append(target)
      }
    }
  }
}

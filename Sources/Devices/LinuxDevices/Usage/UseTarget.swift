internal import AccessModel

/// A device whose holders are to be found.
struct UseTarget: Sendable {
  /// The canonical path of the node.
  var node: String
  /// The kind in the question, if it was about a kind.
  var kind: String?
  /// The paths in the question that lead to the node.
  var askedAs: [String] = []
  /// The facts about the device, if it is known.
  var device: DeviceFacts?
  var number: NodeNumber
  /// The identity of the node, as in a table of mappings.
  var identity: FileIdentity

  /// The subsystems that reuse a number while the previous device with that number is still open.
  private static let reusing: Set<String> = ["input", "sound"]

  /// Returns whether an open file with the device's number belongs to a device that was removed
  /// earlier.
  ///
  /// The node of a removed device is deleted. Drivers of most subsystems keep its number until the
  /// last file is closed. In such a subsystem, a deleted node with this number belonged to the same
  /// device, and another program has recreated it.
  func isOfEarlierDevice(_ file: OpenFile) -> Bool {
    guard let device, Self.reusing.contains(device.subsystem) else { return false }
    return file.links == 0 && file.identity != identity
      && file.identity.filesystem == identity.filesystem
  }
}

extension [UseTarget] {
  /// Adds targets without duplicates, because a kind and a path may refer to the same device.
  mutating func add(_ targets: [UseTarget]) {
    let known = Dictionary(indices.map { (PathKey(self[$0].node), $0) }) { first, _ in first }
    for target in targets {
      if let index = known[PathKey(target.node)] {
        self[index].kind = self[index].kind ?? target.kind
        for path in target.askedAs where !self[index].askedAs.contains(where: path.isSame) {
          self[index].askedAs.append(path)
        }
      } else {
        append(target)
      }
    }
  }
}

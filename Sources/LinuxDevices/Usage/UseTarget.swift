internal import AccessModel

/// A device whose holders are looked for.
struct UseTarget: Sendable {
  /// The canonical path of the node.
  var node: String
  /// The kind that was asked for.
  var kind: String?
  /// The paths that were asked for, where they are not the node.
  var askedAs: [String] = []
  /// What is known of the device.
  var device: DeviceFacts?
  var number: NodeNumber
  /// The node itself, as the tables of mappings name it.
  var identity: FileIdentity

  /// Subsystems that give a number away while somebody still has the device open that had it before.
  private static let reusing: Set<String> = ["input", "sound"]

  /// Whether an open file of the device's number is of a device that went before this one came.
  ///
  /// Its node went with it. Drivers of other subsystems keep the number until the last file is closed, and
  /// there a node that is gone was one of this device, which somebody has made anew.
  func isOfEarlierDevice(_ file: OpenFile) -> Bool {
    guard let device, Self.reusing.contains(device.subsystem) else { return false }
    return file.links == 0 && file.identity != identity
      && file.identity.filesystem == identity.filesystem
  }
}

extension [UseTarget] {
  /// Adds targets, each node once: a kind and a path may mean the same device.
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

/// The nodes of one driver that programs open together.
///
/// A container or unit needs all of them.
struct DriverNodes {
  let assessment: Assessment

  private static let limit = 16

  /// Returns the driver's other nodes, except those that are known to be accessible.
  ///
  /// - Parameter path: The path of the requested node.
  /// - Returns: At most 16 nodes, sorted by path.
  func others(than path: String) -> [Node] {
    assessment.facts.access.nodes.filter { node in
      node.type == .characterDevice && node.path != path
        && NodeCompanions.areOpenedTogether(path, node.path) && !isGranted(node)
    }.sorted { $0.path < $1.path }.prefix(Self.limit).map(\.self)
  }

  /// Returns whether the driver has more nodes than the facts contain.
  func areUnseen(at path: String) -> Bool {
    NodeCompanions.isNVIDIA(path)
      && !assessment.facts.access.nodes.contains {
        $0.path != path && NodeCompanions.isNVIDIA($0.path)
      }
  }

  private func isGranted(_ node: Node) -> Bool {
    let facts = assessment.facts
    var access = facts.access
    access.request = assessment.access.request.at(node.path)
    let device = facts.devices.first { $0.node == node.path }
    return Assessment(
      facts, access: access, device: device, checks: facts.kernelChecks, isShown: false
    ).isGranted
  }
}

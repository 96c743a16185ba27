/// The nodes of one driver that a program opens together.
///
/// A container or a unit needs all of them.
struct DriverNodes {
  let assessment: Assessment

  private static let limit = 16

  /// Returns the other nodes of the driver, except those that are known to be accessible.
  ///
  /// - Parameter path: The node in question.
  /// - Returns: The nodes, sorted by path.
  func others(than path: String) -> [Node] {
    assessment.facts.access.nodes.filter { node in
      node.type == .characterDevice && node.path != path
        && NodeCompanions.areOpenedTogether(path, node.path) && !isGranted(node)
    }.sorted { $0.path < $1.path }.prefix(Self.limit).map(\.self)
  }

  /// Returns a Boolean value that indicates whether the driver has more nodes than the facts show.
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

/// The nodes that a program opens together because one driver has them, so that a container or a unit
/// needs all of them.
struct DriverNodes {
  let assessment: Assessment

  /// The other nodes of the driver that are not known to be let in.
  ///
  /// - Parameter path: The node in question.
  /// - Returns: The nodes, by their paths.
  func others(than path: String) -> [Node] {
    let facts = assessment.facts
    return assessment.facts.access.nodes.filter { node in
      node.type == .characterDevice && node.path != path && Self.areUsedTogether(path, node.path)
        && !isGranted(node, facts)
    }.sorted { $0.path < $1.path }.prefix(Self.limit).map(\.self)
  }

  /// Whether the driver has more nodes than the facts show.
  func areUnseen(at path: String) -> Bool {
    path.hasPrefix(Self.nvidia)
      && !assessment.facts.access.nodes.contains {
        $0.path != path && $0.path.hasPrefix(Self.nvidia)
      }
  }

  /// Whether the node is one of NVIDIA's own driver, whose devices the tools of NVIDIA hand in.
  static func isNVIDIA(_ path: String) -> Bool { path.hasPrefix(nvidia) }

  private static let nvidia = "/dev/nvidia"
  private static let limit = 16

  private func isGranted(_ node: Node, _ facts: AccessFacts) -> Bool {
    var access = facts.access
    access.request = assessment.access.request.at(node.path)
    let device = facts.devices.first { $0.node == node.path }
    return Assessment(
      facts, access: access, device: device, checks: facts.kernelChecks, isShown: false
    ).isGranted
  }

  private static func areUsedTogether(_ path: String, _ other: String) -> Bool {
    let (folder, name) = split(path)
    let (otherFolder, otherName) = split(other)
    switch folder {
    case "/dev" where path.hasPrefix(nvidia):
      // Another card is another device.
      return other.hasPrefix(nvidia) && !(isCard(name) && isCard(otherName))
    case "/dev" where name == "kfd":
      return otherFolder == "/dev/dri" && otherName.hasPrefix("renderD")
    // A tuner, its demultiplexer and its recorder.
    case _ where folder.hasPrefix("/dev/dvb/"): return otherFolder == folder
    case "/dev/snd":
      // ALSA opens the control node of a card before its other nodes.
      let card = name.drop { $0 != "C" }.dropFirst().prefix { $0.isNumber }
      return otherFolder == folder && !card.isEmpty && otherName == "controlC\(card)"
    default: return false
    }
  }

  private static func isCard(_ name: Substring) -> Bool {
    let number = name.dropFirst("nvidia".utf8.count)
    return name.hasPrefix("nvidia") && !number.isEmpty && number.allSatisfy(\.isNumber)
  }

  private static func split(_ path: String) -> (folder: Substring, name: Substring) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return (path[..<slash], path[slash...].dropFirst())
  }
}

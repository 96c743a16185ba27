extension [DeviceFacts] {
  /// The devices with the nodes by which the subject reaches them.
  ///
  /// A number makes the device, and not a name: a container may have `/dev/video1` of the host as
  /// its `/dev/video0`. A device whose name another one has taken, and which is nowhere else, has no
  /// node here. A number that none of the devices has says nothing, and a device that is nowhere
  /// keeps its name.
  ///
  /// - Parameter ends: The objects at the end of the paths that were walked, by the path.
  /// - Returns: The devices, in the same order.
  package func placed(at ends: [String: Node]) -> [DeviceFacts] {
    guard contains(where: { $0.isElsewhere(in: ends) != false }) else { return self }
    var places: [DeviceNumber: String] = [:]
    for (path, end) in ends.sorted(by: { $0.key < $1.key }) where end.type == .characterDevice {
      if let number = end.rdev, places[number] == nil { places[number] = path }
    }
    let numbers = Set(compactMap(\.number))
    return map { device in
      guard let number = device.number, let node = device.node,
        device.isElsewhere(in: ends) != false
      else { return device }
      let end = ends[node].flatMap { $0.type == .characterDevice ? $0 : nil }
      let isTaken = end?.rdev.map(numbers.contains) ?? false
      guard let place = places[number] ?? (isTaken ? nil : node) else {
        return device.moved(to: nil)
      }
      return place == node ? device : device.moved(to: place)
    }
  }

  /// The devices of a kind with the nodes by which a subject reaches them.
  ///
  /// Where none of their own names leads to one that the kind is about, other names are looked for.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - end: What is at the end of a path; `nil` where nothing is found.
  ///   - others: The paths of nodes in the subject's `/dev` that have one of some numbers.
  /// - Returns: The devices, in the same order.
  package func placed(
    of kind: DeviceKind, end: (String) -> Node?, others: (Set<DeviceNumber>) -> [String]
  ) -> [DeviceFacts] {
    var ends: [String: Node] = [:]
    // The nodes of other roles too, so that a list can tell the access to each.
    for node in kind.members(in: self).compactMap(\.node) { ends[node] = end(node) }
    let wanted = Set(kind.candidates(in: self).compactMap(\.number))
    let isFound = ends.values.contains { end in
      end.type == .characterDevice && end.rdev.map(wanted.contains) ?? false
    }
    if !wanted.isEmpty, !isFound {
      for path in others(wanted) { ends[path] = end(path) }
    }
    return placed(at: ends)
  }
}

extension DeviceFacts {
  /// Whether what is at the device's node is not the device; `nil` where nothing was found there.
  fileprivate func isElsewhere(in ends: [String: Node]) -> Bool? {
    guard let number, let end = node.flatMap({ ends[$0] }) else { return nil }
    return end.type != .characterDevice || end.rdev != number
  }

  /// The device at another path; its links lead to the node that it has outside.
  fileprivate func moved(to path: String?) -> DeviceFacts {
    var device = self
    device.systemNode = node
    device.node = path
    device.links = []
    return device
  }
}

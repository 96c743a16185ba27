extension [DeviceFacts] {
  /// Returns the devices with the nodes through which the subject reaches them.
  ///
  /// A device is identified by its number, not by its name. For example, a container may have the
  /// host's `/dev/video1` as its `/dev/video0`. If another of these devices has taken a device's
  /// name, and the device has no other node, its node is `nil`. Otherwise, a device that is not
  /// found at any path keeps its name.
  ///
  /// - Parameter ends: The objects at the ends of the walked paths, by path.
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

  /// Returns the devices, with the nodes through which the subject reaches the devices of one kind.
  ///
  /// If no existing name leads to a candidate of the kind, other names are searched for.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - end: Returns the object at the end of a path; `nil` if nothing is found.
  ///   - others: Returns the paths of the nodes in the subject's `/dev` that have one of the given
  ///     numbers.
  /// - Returns: The devices, in the same order.
  package func placed(
    of kind: DeviceKind, end: (String) -> Node?, others: (Set<DeviceNumber>) -> [String]
  ) -> [DeviceFacts] {
    var ends: [String: Node] = [:]
    // Include the nodes of other roles, because a list shows the access to each of them.
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
  /// Returns whether the object at the device's node is not the device; `nil` if this is not known.
  fileprivate func isElsewhere(in ends: [String: Node]) -> Bool? {
    guard let number, let end = node.flatMap({ ends[$0] }) else { return nil }
    return end.type != .characterDevice || end.rdev != number
  }

  /// Returns the device with another node.
  ///
  /// The links are removed, because they lead to the node outside.
  fileprivate func moved(to path: String?) -> DeviceFacts {
    var device = self
    device.systemNode = node
    device.node = path
    device.links = []
    return device
  }
}

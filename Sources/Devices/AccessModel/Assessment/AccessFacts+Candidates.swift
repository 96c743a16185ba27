extension AccessFacts {
  /// Assesses the object in question, or each candidate of the kind in question, in order of
  /// preference.
  ///
  /// - Parameter isShown: Whether each decision contains every step, and not only the last one.
  /// - Returns: The assessments.
  func assessments(isShown: Bool = true) -> [Assessment] {
    if let kind = kind.flatMap(DeviceKind.named), kind.subsystem != nil {
      let candidates = kind.candidates(in: devices)
      if !candidates.isEmpty { return assess(candidates, isShown: isShown) }
    }
    return [
      Assessment(
        self, access: access, device: device(at: access.request.path), checks: kernelChecks,
        isShown: isShown)
    ]
  }

  /// Returns the answers for each device, with one answer for each set of permissions.
  ///
  /// A device without a node has no answers. The cost is linear in the number of devices.
  public func answers(
    for devices: [DeviceFacts], wanting permissions: [Permissions]
  ) -> [[Answer]] {
    var answers = devices.map { _ in [Answer]() }
    let indices = devices.indices.filter { devices[$0].node != nil }
    for wanted in permissions {
      let assessments = assess(devices, wanting: wanted, isShown: false)
      for (index, assessment) in zip(indices, assessments) {
        answers[index].append(assessment.answer)
      }
    }
    return answers
  }

  /// Assesses each device that has a node, in the given order.
  func assess(
    _ candidates: [DeviceFacts], wanting wanted: Permissions? = nil, isShown: Bool = true
  ) -> [Assessment] {
    let checks = Dictionary(grouping: kernelChecks, by: \.path)
    // A case with a thousand devices is decided once per device. Only the directories and the
    // device's own node matter, so omitting the other nodes keeps the cost linear.
    let directories = access.nodes.filter { $0.type == .directory }
    let leaves = Dictionary(
      access.nodes.lazy.filter { $0.type != .directory }.map { ($0.path, $0) },
      uniquingKeysWith: { first, _ in first })
    return candidates.compactMap { device in
      guard let path = device.node else { return nil }
      var own = access
      own.request =
        wanted.map { .open(path: path, flags: $0.openFlags) } ?? access.request.at(path)
      if let leaf = leaves[path], leaf.type != .symbolicLink { own.nodes = directories + [leaf] }
      return Assessment(
        self, access: own, device: device, checks: checks[path] ?? [], isShown: isShown)
    }
  }

  /// Returns the device that a path refers to.
  ///
  /// The device number of the node at the path takes precedence over the names of the devices'
  /// nodes and links.
  func device(at path: String) -> DeviceFacts? {
    guard !devices.isEmpty else { return nil }
    let named = devices.first { $0.node == path || $0.links.contains(path) }
    guard
      let node = access.nodes.first(where: { $0.path.isSame(as: path) && $0.type != .symbolicLink })
        ?? access.object(at: path),
      let rdev = node.rdev, named?.number != rdev
    else { return named }
    return devices.first { $0.number == rdev && $0.isBlock == (node.type == .blockDevice) } ?? named
  }
}

extension DeviceFacts {
  /// A Boolean value that indicates whether the node is a block device.
  ///
  /// Block and character devices can have the same numbers.
  fileprivate var isBlock: Bool { subsystem == "block" }
}

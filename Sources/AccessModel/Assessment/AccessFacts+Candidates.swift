extension AccessFacts {
  /// Assesses the object of the question, or every candidate of its kind, best candidate first.
  ///
  /// - Parameter isShown: Whether each decision holds every step, and not the last alone.
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

  /// The answers for each device, one for each of the permissions; none for a device without a
  /// node.
  ///
  /// The cost is linear in the number of devices.
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

  /// Assesses each device that has a node, in their order.
  func assess(
    _ candidates: [DeviceFacts], wanting wanted: Permissions? = nil, isShown: Bool = true
  ) -> [Assessment] {
    let checks = Dictionary(grouping: kernelChecks, by: \.path)
    // A case of thousand devices is decided once for each of them; only the directories and the
    // device's own node matter, which keeps the cost linear.
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

  /// The device that a path means: by the number of the node that the path leads to, by its node, or
  /// by a link to it.
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
  /// Whether the node is a block device: numbers of block and character devices overlap.
  fileprivate var isBlock: Bool { subsystem == "block" }
}

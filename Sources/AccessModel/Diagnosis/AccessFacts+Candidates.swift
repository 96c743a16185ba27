extension AccessFacts {
  /// Judges the object of the question, or every candidate of its kind, best candidate first.
  func judgements() -> [Judgement] {
    if let kind = kind.flatMap(DeviceKind.named), kind.subsystem != nil {
      let candidates = kind.candidates(in: devices)
      if !candidates.isEmpty { return judge(candidates) }
    }
    return [
      Judgement(
        self, access: access, device: device(at: access.request.path), checks: kernelChecks)
    ]
  }

  private func judge(_ candidates: [DeviceFacts]) -> [Judgement] {
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
      own.request = access.request.at(path)
      if let leaf = leaves[path], leaf.type != .symbolicLink { own.nodes = directories + [leaf] }
      return Judgement(self, access: own, device: device, checks: checks[path] ?? [])
    }
  }

  /// The device that a path means: by its node, by a link to it, or by the number of the node.
  func device(at path: String) -> DeviceFacts? {
    if let device = devices.first(where: { $0.node == path || $0.links.contains(path) }) {
      return device
    }
    guard let node = access.nodes.first(where: { $0.path == path }), let rdev = node.rdev else {
      return nil
    }
    return devices.first { $0.number == rdev && $0.isBlock == (node.type == .blockDevice) }
  }
}

extension DeviceFacts {
  /// Whether the node is a block device: numbers of block and character devices overlap.
  fileprivate var isBlock: Bool { subsystem == "block" }
}

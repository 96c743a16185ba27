public import AccessModel

extension Machine {
  /// The facts of a question about the calling process, with what opening each device came to.
  ///
  /// Every candidate of a kind is opened and closed again, or the device at the path that was
  /// asked about; it can wake a camera, so only an explicit request may do it. Where a call is
  /// refused although a seccomp filter is in force, the same call is made on the null device,
  /// which tells a filter from a rule about the device.
  ///
  /// - Parameters:
  ///   - facts: What was observed before; its request says what to open for.
  ///   - isList: Whether to open every device that a list of the kind shows, and what is refused
  ///     for reading and writing also for each alone.
  /// - Returns: The facts with the attempts, and what drivers said of their devices.
  public func probed(_ facts: AccessFacts, isList: Bool = false) -> AccessFacts {
    var facts = facts
    let wanted = facts.access.request.permissions
    for path in paths(in: facts, isList: isList) {
      guard let node = facts.nodeToOpen(at: path) else { continue }
      let probe = add(node, path, wanted, to: &facts)
      if isList, probe.attempt?.isRefusal == true, wanted == [.read, .write] {
        _ = add(node, path, .read, to: &facts)
        _ = add(node, path, .write, to: &facts)
      }
    }
    addControls(to: &facts)
    return facts
  }

  private func paths(in facts: AccessFacts, isList: Bool) -> [String] {
    guard let kind = facts.kind.flatMap(DeviceKind.named), kind.subsystem != nil else {
      return [facts.access.request.path]
    }
    let devices =
      isList ? kind.members(in: facts.devices) : kind.candidates(in: facts.devices)
    let paths = devices.compactMap(\.node)
    return paths.isEmpty ? [facts.access.request.path] : paths
  }

  private func add(
    _ node: String, _ path: String, _ wanted: Permissions, to facts: inout AccessFacts
  ) -> DeviceProbe {
    let probe = probe(node, askedAs: path, for: wanted)
    if let attempt = probe.attempt { facts.attempts.append(attempt) }
    for index in facts.devices.indices where facts.devices[index].node == node {
      guard let capabilities = probe.driverCapabilities else { continue }
      facts.devices[index].driverCapabilities = capabilities
      facts.devices[index].isPrivate = probe.isPrivate
      if let name = probe.name, !name.isEmpty { facts.devices[index].name = name }
      facts.devices[index].classify()
    }
    return probe
  }

  private func addControls(to facts: inout AccessFacts) {
    guard facts.confinement.seccompMode == 2 else { return }
    let control = Attempt.controlPath
    for flags in Set(facts.attempts.lazy.filter(\.isRefusal).compactMap(\.flags)) {
      let wanted = Request.open(path: control, flags: flags).permissions
      if let attempt = probe(control, askedAs: control, for: wanted).attempt {
        facts.attempts.append(attempt)
      }
    }
  }
}

extension AccessFacts {
  /// The canonical path of what is to be opened; `nil` for anything that is not a device.
  fileprivate func nodeToOpen(at path: String) -> String? {
    var access = access
    access.request = access.request.at(path)
    guard case .open = access.request, let node = access.decide().steps.last?.node,
      node.type.isDevice
    else { return nil }
    // A node that has the number of another device would open that one.
    let device = devices.first { $0.node == node.path }
    if let number = device?.number, number != node.rdev { return nil }
    return node.path
  }
}

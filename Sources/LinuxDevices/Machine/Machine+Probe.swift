public import AccessModel

extension Machine {
  /// The facts of a question about the calling process, with what opening each device came to.
  ///
  /// Every candidate of a kind is opened and closed again, or the device at the path that was
  /// asked about; it can wake a camera, so only an explicit request may do it. Where a call is
  /// refused although a seccomp filter is in force, the same call is made on the null device,
  /// which tells a filter from a rule about the device. A device that acts when it is opened, such as
  /// a watchdog, stays closed unless the call is forced, and `unobserved` of the facts names it.
  ///
  /// - Parameters:
  ///   - facts: What was observed before; its request says what to open for.
  ///   - isList: Whether to open every device that a list of the kind shows, and what is refused
  ///     for reading and writing also for each alone.
  ///   - isForced: Whether to open a device that acts when it is opened, too.
  /// - Returns: The facts with the attempts, and what drivers said of their devices.
  public func probed(
    _ facts: AccessFacts, isList: Bool = false, isForced: Bool = false
  ) -> AccessFacts {
    var facts = facts
    let wanted = facts.access.request.permissions
    for path in facts.pathsToOpen(isList: isList) {
      guard let object = facts.objectToOpen(at: path) else { continue }
      if !isForced, let effect = facts.openingEffect(of: object), effect.needsForce {
        facts.withholdOpening(at: path, effect)
        continue
      }
      let node = object.path
      let probe = add(node, path, wanted, to: &facts)
      if isList, probe.attempt?.isRefusal == true, wanted == [.read, .write] {
        _ = add(node, path, .read, to: &facts)
        _ = add(node, path, .write, to: &facts)
      }
    }
    addControls(to: &facts)
    return facts
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
  /// The devices that a probe of these facts opens, with what that does by itself where it is known.
  ///
  /// - Parameter isList: Whether every device that a list of the kind shows is opened.
  /// - Returns: The paths and the effects.
  package func openingEffects(isList: Bool) -> [(path: String, effect: OpeningEffect)] {
    pathsToOpen(isList: isList).compactMap { path in
      objectToOpen(at: path).flatMap(openingEffect).map { (path, $0) }
    }
  }

  fileprivate func pathsToOpen(isList: Bool) -> [String] {
    guard let kind = kind.flatMap(DeviceKind.named), kind.subsystem != nil else {
      return [access.request.path]
    }
    let chosen = isList ? kind.members(in: devices) : kind.candidates(in: devices)
    let paths = chosen.compactMap(\.node)
    return paths.isEmpty ? [access.request.path] : paths
  }

  /// What is to be opened; `nil` for anything that is not a device.
  fileprivate func objectToOpen(at path: String) -> Node? {
    var access = access
    access.request = access.request.at(path)
    guard case .open = access.request, let node = access.decide().steps.last?.node,
      node.type.isDevice
    else { return nil }
    // A node that has the number of another device would open that one.
    let device = devices.first { $0.node == node.path }
    if let number = device?.number, number != node.rdev { return nil }
    return node
  }
}

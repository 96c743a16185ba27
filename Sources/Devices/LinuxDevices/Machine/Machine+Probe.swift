public import AccessModel

extension Machine {
  /// Returns facts about the calling process with the results of opening each device.
  ///
  /// The method opens and closes every candidate of a kind, or the device at the requested path.
  /// Opening can wake a camera, so only an explicit request may call this method. If a call is
  /// refused while a seccomp filter is active, the same call is made on the null device, which
  /// distinguishes a filter from a rule about the device. A device that reacts to being opened,
  /// such as a watchdog, is not opened unless the call is forced. In this case, `unobserved` in the
  /// facts names it.
  ///
  /// - Parameters:
  ///   - facts: The facts that were observed before, with the access to request.
  ///   - isList: `true` to open every device that a list of the kind shows. If a device refuses
  ///     reading and writing together, each is also tried separately.
  ///   - isForced: `true` to also open devices that react to being opened.
  /// - Returns: The facts with the attempts, and with what the drivers reported about their
  ///   devices.
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
  /// Returns the devices that a probe of these facts opens, with the known effects of opening them.
  ///
  /// - Parameter isList: `true` if the probe opens every device that a list of the kind shows.
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

  /// Returns the node to open; `nil` if it is not a device.
  fileprivate func objectToOpen(at path: String) -> Node? {
    var access = access
    access.request = access.request.at(path)
    guard case .open = access.request, let node = access.decide().steps.last?.node,
      node.type.isDevice
    else { return nil }
    // A node with the number of another device would open that device.
    let device = devices.first { $0.node == node.path }
    if let number = device?.number, number != node.rdev { return nil }
    return node
  }
}

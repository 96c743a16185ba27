/// Collects the causes of a missing path from the layers, starting with the most certain one.
struct AbsenceCauses: AssessmentReader {
  let layers: Layers

  var assessment: Assessment { layers.assessment }
  var names: Names { layers.names }

  /// Returns the causes of the missing path, starting with the most certain one.
  func causes() -> [Cause] {
    if let hidden = layers.units.hiddenByProtection() ?? layers.units.outsideRootCause() {
      return [hidden]
    }
    if isAlbum {
      let sandbox = layers.sandboxes.albumCause()
      // The permissions of a sandboxed application explain more than a missing directory does.
      let isReported = confinement.application != nil
      return [
        isReported ? sandbox : nil, layers.directories.albumAbsence(),
        layers.mounts.propagationCause(at: place), isReported ? nil : sandbox,
      ].compactMap(\.self)
    }
    if let gone = layers.use.goneCause() {
      let hardware = hardwareCauses()
      // A static node of the kernel exists even if its module cannot be loaded, so no device was
      // unplugged.
      let isOfModule = { (cause: Cause) in
        [.moduleNotBuilt, .moduleLoadRefused].contains(cause.code)
      }
      return hardware.filter(isOfModule) + [gone] + hardware.filter { !isOfModule($0) }
    }
    let unitWithOwnDev = layers.units.unitWithOwnDev
    if let device = assessment.device, device.node != nil, !isOfUnit || unitWithOwnDev == nil {
      return [hiddenCause(device)]
    }
    if confinement.container != nil || confinement.serviceUnit != nil && hasOwnDev,
      let known = hiddenDevice(at: path)
    {
      return [hiddenCause(known)]
    }
    let missing = assessment.decision.at ?? path
    let absent = Cause(.nodeAbsent, summary: absentSummary, at: missing)
    if let unit = unitWithOwnDev {
      return [
        Cause(
          .unitPrivateDevices,
          summary: "\(path) does not exist here: \(layers.units.ownDev(of: unit)).", at: missing,
          isProven: isOfUnit)
      ]
    }
    if let album = layers.directories.otherAlbum { return [album] }
    if let board = layers.hardware.boardCause() {
      // Connected USB hardware explains a missing camera better than the board does.
      return facts.kind == nil ? [board, absent] : hardwareCauses() + [board, absent]
    }
    if let module = layers.drivers.unloadedModule { return [module, absent] }
    if let renumbered = layers.nodes.renumberedCause(at: missing) {
      // A driver or program that holds the hardware explains more than a renumbered node does.
      return layers.drivers.heldCauses() + [renumbered]
    }
    if let hidden = layers.sandboxes.filesystemCause(at: missing) { return [hidden, absent] }
    if let outside = layers.mounts.propagationCause(at: missing) { return [outside, absent] }
    let hardware = hardwareCauses()
    // Without a driver, the node does not exist outside the sandbox or container either.
    if hardware.contains(where: \.isProven) { return hardware + [absent] }
    if let hidden = layers.sandboxes.ownDevCause(at: missing) { return hardware + [hidden] }
    let hidden =
      path.hasPrefix("/dev/")
      ? layers.containers.missingCause(at: missing)
      : layers.mounts.lateMountCause(at: missing) ?? layers.containers.missingFileCause(at: missing)
    return hardware + [absent, hidden].compactMap(\.self)
  }

  /// Returns the causes in the bus, the firmware and the kernel modules, the most certain first.
  func hardwareCauses() -> [Cause] {
    guard let hardware = facts.hardware else { return [] }
    var causes = hardware.usb.prefix(4).map { layers.hardware.usbCause($0, hardware) }
    causes += layers.drivers.heldCauses()
    let unbound = hardware.unbound.filter { unbound in
      layers.drivers.driver(of: unbound, hardware).map { layers.drivers.couldMakeNode($0.name) }
        ?? (facts.kind != nil)
    }
    causes += unbound.prefix(4).flatMap { layers.drivers.unboundCauses($0, hardware) }
    causes += [layers.hardware.switchCause(hardware)].compactMap(\.self)
    let bound = Set(hardware.unbound.compactMap(\.module) + hardware.held.map(\.module))
    causes += hardware.modules.filter { !bound.contains($0.name) }
      .compactMap(layers.drivers.moduleCause)
    causes += layers.nodes.pipelineCauses(hardware)
    return causes
  }

  private var absentSummary: String {
    if let kind = facts.kind, !hasNode(of: kind) {
      return "No \(kind) device node was found\(containerWords)."
    }
    // A link can exist, and what it leads to not.
    let missing = assessment.decidingStep?.path ?? place
    return layers.nodes.absenceBesideOthers
      ?? (path.isSame(as: missing)
        ? "\(path) does not exist\(containerWords)."
        : "\(path) does not exist\(containerWords), because \(missing) does not exist.")
  }

  /// Returns whether a node has the name of a device of the kind, and no fact speaks against it.
  private func hasNode(of kind: String) -> Bool {
    access.nodes.contains { node in
      node.type.isDevice && DeviceKind.ofNode(at: node.path)?.name == kind
        && !facts.devices.contains { $0.node == node.path }
    }
  }

  private var containerWords: String {
    guard let container = confinement.container else { return "" }
    if container == ConfinementFacts.wsl { return " in WSL" }
    return " in the \(container) \(confinement.isSandbox ? "sandbox" : "container")"
  }

  /// Returns the cause for the hidden node of a device that udev or the kernel knows.
  private func hiddenCause(_ device: DeviceFacts) -> Cause {
    if let missing = layers.seats.nodeNotMade(device) { return missing }
    let node = device.node ?? path
    // If udev's database is hidden, sysfs still shows the device.
    let isRead = device.isInitialized && confinement.hasUdevDatabase != false
    let who = isRead ? "udev knows" : "The kernel knows"
    let known = "\(who) \(device.nameInSentences), but \(node) does not exist here"
    return layers.sandboxes.hiddenCause(node, known: known)
      ?? layers.containers.hiddenCause(node, known: known)
      ?? mountedCause(node, known: known)
      ?? layers.units.hiddenCause(node, known: known)
      ?? Cause(
        .nodeHidden, summary: "\(known): the process has a different /dev.", at: node,
        isProven: false)
  }

  /// Returns the cause that is evident from the mount of a missing node.
  ///
  /// - Returns: The cause; `nil` if the mount is neither a devtmpfs nor below `/dev`.
  private func mountedCause(_ node: String, known: String) -> Cause? {
    guard let mount = assessment.access.mount(of: node) else { return nil }
    if mount.fstype == "devtmpfs" {
      return Cause(
        .nodeAbsent,
        summary: "\(known): something has removed it from /dev.", at: node)
    }
    guard mount.at.hasPrefix("/dev/") else { return nil }
    return Cause(
      .nodeHidden, summary: "\(known): \(mount.fstype) is mounted on \(mount.at).", at: node,
      isProven: false)
  }
}

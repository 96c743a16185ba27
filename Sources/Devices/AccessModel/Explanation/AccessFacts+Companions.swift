/// The nodes that programs open together with a device.
extension AccessFacts {
  /// A refused node that programs open together with the device in question.
  struct Companion {
    var assessment: Assessment
    /// The causes of the refusal; never empty.
    var reasons: [Cause]
    /// A sentence that names the programs that need the node.
    var need: String
    /// A Boolean value that indicates whether such a device is unusable without the node.
    var isRequired = false

    var path: String { assessment.access.request.path }

    /// The cause that names the node, followed by the first reason for its refusal.
    var cause: Cause {
      let why = reasons.first.map { " \($0.summary)" } ?? ""
      return Cause(
        .auxNode, summary: "\(need)\(why)", at: path,
        isProven: isRequired && reasons.first?.isProven == true)
    }
  }

  /// Returns the refused companions of a device that the subject may open.
  func refusedCompanions(of chosen: Assessment) -> [Companion] {
    guard chosen.isGranted else { return [] }
    guard let device = chosen.device else { return refusedByName(chosen.access.request.path) }
    switch device.subsystem {
    case DeviceKind.camera.subsystem:
      return [refusedController(of: device)].compactMap(\.self)
    case DeviceKind.microphone.subsystem:
      return [refusedControl(of: device)].compactMap(\.self)
    case DeviceKind.gpu.subsystem: return refusedComputeNodes(of: device)
    default: return []
    }
  }

  // MARK: - Sound and graphics

  /// Returns the control node of a sound card, if it is refused.
  ///
  /// ALSA opens it before each other node of the card (`snd_ctl_hw_open`).
  private func refusedControl(of device: DeviceFacts) -> Companion? {
    guard let number = device.soundCard else { return nil }
    let name = "controlC\(number)"
    guard device.kernelName != name else { return nil }
    let card = device.sysfsPath.split(separator: "/").dropLast()
    let control = devices.first {
      $0.kernelName == name && $0.subsystem == device.subsystem
        && $0.sysfsPath.split(separator: "/").dropLast() == card
    }
    let path = control?.node ?? "/dev/snd/\(name)"
    return refusal(
      of: path,
      need: "Programs that use ALSA open \(path) before \(device.node ?? device.kernelName).",
      isRequired: true)
  }

  /// Returns the refused nodes that the driver shares among all its devices.
  private func refusedByName(_ path: String) -> [Companion] {
    NodeCompanions.required(with: path).compactMap { companion in
      refusal(
        of: companion, need: "Programs open \(companion) together with \(path).", isRequired: true)
    }
  }

  /// Returns the refused nodes that programs open in addition to a render node for computations.
  private func refusedComputeNodes(of device: DeviceFacts) -> [Companion] {
    guard device.role == .render else { return [] }
    let render = device.node ?? device.kernelName
    let nodes = access.nodes.filter { $0.type == .characterDevice }.map(\.path)
    let paths: [String]
    let programs: String
    switch device.driver {
    case "nvidia":
      paths = nodes.filter(NodeCompanions.isNVIDIA)
      programs = "Programs that use NVIDIA's driver"
    case "amdgpu", nil:
      paths = nodes.filter { $0 == "/dev/kfd" }
      programs = "Programs that compute on AMD's graphics cards (ROCm)"
    default: return []
    }
    return paths.prefix(8).compactMap { path in
      refusal(of: path, need: "\(programs) open \(path) as well as \(render).", isRequired: true)
    } + missingComputeNodes(of: device.driver, besides: render)
  }

  /// Returns the nodes that a graphics driver shares among all its cards and that are missing in
  /// `/dev`.
  private func missingComputeNodes(of driver: String?, besides render: String) -> [Companion] {
    let nodes = Set(access.nodes.map(\.path))
    guard kind == DeviceKind.gpu.name, nodes.contains("/dev"),
      !unobserved.contains(where: { $0.layer == Unobserved.devicesLayer })
    else { return [] }
    func missing(_ path: String, _ need: String, isRequired: Bool = false) -> Companion? {
      guard !nodes.contains(path) else { return nil }
      return refusal(of: path, need: need, isRequired: isRequired, isMissing: true)
    }
    switch driver {
    case "nvidia" where nodes.contains(where: NodeCompanions.isNVIDIA):
      // On other systems, nvidia-modprobe can load the module when a program needs it.
      let isUnloaded = hardware?.modules.first { $0.name == "nvidia_uvm" }?.isLoaded == false
      let onDemand =
        isNixOS || confinement.container != nil
        ? "" : " On most systems, nvidia-modprobe makes it when such a program starts."
      return [
        missing("/dev/nvidiactl", "Programs that use NVIDIA's driver open /dev/nvidiactl first."),
        missing(
          "/dev/nvidia-uvm",
          "Programs that compute with CUDA open /dev/nvidia-uvm as well as \(render).\(onDemand)",
          isRequired: isNixOS && isUnloaded),
      ].compactMap(\.self)
    case "amdgpu":
      let isKnown =
        devices.contains { $0.kernelName == "kfd" }
        || hardware?.numbers.contains { $0.subsystem == "kfd" } == true
      guard isKnown else { return [] }
      return [
        missing(
          "/dev/kfd", "Programs that compute with ROCm open /dev/kfd as well as \(render).")
      ].compactMap(\.self)
    default: return []
    }
  }

  // MARK: - Cameras

  /// Returns the refused companions of a camera that consists of a pipeline.
  ///
  /// No node of a pipeline is a camera by itself. The companions are the media controller, and a
  /// memory heap if every heap is refused.
  func refusedPipelineCompanions() -> [Companion] {
    guard !pipelineNodes.isEmpty else { return [] }
    let nodes = access.nodes.filter { $0.type.isDevice }.map(\.path)
    let media = nodes.filter { $0.hasPrefix("/dev/media") }.prefix(16)
    let controller =
      media.lazy.compactMap { refusal(of: $0, need: Self.need(of: $0)) }.first
      ?? missingController(besides: media)
    // libcamera uses the first heap that it can open, and otherwise udmabuf.
    let heaps = nodes.filter { $0.hasPrefix("/dev/dma_heap/") || $0 == "/dev/udmabuf" }.prefix(16)
    let closed = heaps.compactMap { refusal(of: $0, need: Self.need(of: $0)) }
    let memory = closed.count == heaps.count ? closed.first : nil
    return [controller, memory].compactMap(\.self)
  }

  /// Returns the media controller that sysfs lists, if the container has no media controller nodes.
  private func missingController(besides nodes: some Collection<String>) -> Companion? {
    guard nodes.isEmpty, confinement.container != nil, access.object(at: "/dev") != nil,
      let path = hardware?.pipelineControllers.first
    else { return nil }
    let assessment = assessment(of: path)
    guard let cause = Layers(assessment).nodes.missingControllerCause() else { return nil }
    return Companion(assessment: assessment, reasons: [cause], need: Self.need(of: path))
  }

  /// Returns the refused media controller of a camera that the subject may open.
  ///
  /// Without the controller, programs that use libcamera do not find the camera.
  private func refusedController(of camera: DeviceFacts) -> Companion? {
    guard kind == DeviceKind.camera.name else { return nil }
    // Both belong to one interface: `…/1-4:1.0/video4linux/video0` and `…/1-4:1.0/media0`.
    let interface = camera.sysfsPath.split(separator: "/").dropLast(2)
    let controllers = devices.filter { device in
      device.subsystem == "media"
        && device.sysfsPath.split(separator: "/").dropLast() == interface
    }
    return controllers.lazy.compactMap { device in
      device.node.flatMap { refusal(of: $0, need: Self.need(of: $0)) }
    }.first
  }

  /// Returns the first refused node of a pipeline.
  ///
  /// Some nodes are not meant for any user, so the refusal is not necessarily a fault.
  func refusedPipelineNode() -> Companion? {
    pipelineNodes.lazy.compactMap { refusal(of: $0, need: Self.need(of: $0)) }.first
  }

  private static func need(of path: String) -> String {
    "Programs that use libcamera also need \(path)."
  }

  private var pipelineNodes: [String] {
    guard kind == DeviceKind.camera.name, DeviceKind.camera.candidates(in: devices).isEmpty else {
      return []
    }
    let parts = DeviceKind.camera.others(in: devices)
    return (parts.filter { $0.role == .pipeline } + parts.filter { $0.role == .subdevice })
      .compactMap(\.node).prefix(16).map(\.self)
  }

  // MARK: - One companion

  /// Returns a node if opening it for reading and writing is refused, or if it is known to be
  /// missing.
  private func refusal(
    of path: String, need: String, isRequired: Bool = false, isMissing: Bool = false
  ) -> Companion? {
    let assessment = self.assessment(of: path)
    switch assessment.conclusion {
    case .refused: break
    case .absent where isMissing || isRequired && isKnownMissing(path): break
    case .absent, .undecided, .granted: return nil
    }
    let causes = RefusalCauses(assessment).causes()
    guard !causes.isEmpty else { return nil }
    return Companion(
      assessment: assessment, reasons: causes, need: need, isRequired: isRequired)
  }

  /// Returns whether a node was searched for and not found.
  ///
  /// Either the kernel reported that it is missing, or it belongs to a device that udev knows and
  /// all nodes of the kind were inspected.
  private func isKnownMissing(_ path: String) -> Bool {
    let isRefused = kernelChecks.contains { $0.path == path && $0.errno == .noSuchFile }
    return isRefused || kind != nil && devices.contains { $0.node == path }
  }

  private func assessment(of path: String) -> Assessment {
    var access = access
    access.request = .open(path: path, flags: [.readWrite, .nonBlocking])
    let device = devices.first { $0.node == path }
    var facts = self
    // The node of an unlisted device is a companion, and does not replace a device of the kind.
    if device == nil { facts.kind = nil }
    return Assessment(facts, access: access, device: device, checks: kernelChecks)
  }

  // MARK: - One cause and one fix for all of them

  /// Returns a single cause for all refusals, if they have one.
  ///
  /// There is such a cause if every node gives access to the same group, and the subject is not a
  /// member. It replaces the causes of the individual nodes.
  func sharedGroupCause(_ companions: [Companion]) -> Cause? {
    guard companions.count > 1, let first = companions.first?.group,
      companions.allSatisfy({ $0.group == first }), let assessment = companions.first?.assessment
    else { return nil }
    let names = assessment.names
    let paths = companions.map(\.path)
    return Cause(
      .groupNotMember,
      summary: """
        \(paths.listed()) give \(names.group(first)) read and write access, but \
        \(names.user(assessment.subject.fsuid)) is not in that group.
        """, at: paths.first, isProven: false)
  }

  /// Returns the fixes that open all of the nodes.
  ///
  /// Fixes that open all nodes at once come before combinations of one fix per node.
  func remedies(forAll companions: [Companion]) -> [Remedy] {
    let own = companions.map { companion in
      AdviceWriter(companion.assessment).advice(for: companion.reasons + [companion.cause]).remedies
    }
    guard companions.count > 1 else { return own.first ?? [] }
    var found: [Remedy] = []
    for remedy in own.joined()
    where opens(companions, after: remedy) && !found.contains(where: { $0.isLike(remedy) }) {
      found.append(remedy)
    }
    if found.isEmpty {
      // A policy can change for all nodes at once, which the facts do not show.
      found = (own.first ?? []).filter { remedy in
        !remedy.isProven && own.allSatisfy { $0.contains { $0.isLike(remedy) } }
      }
    }
    for isLasting in [true, false] {
      let each = own.compactMap { remedies in
        remedies.first { $0.isProven && $0.end.isLasting == isLasting }
      }
      if each.count == companions.count, !opens(companions, after: each[0]) {
        found.append(RemedyProver.joined(each))
      }
    }
    return RemedyOrder.ordered(found)
  }

  /// Returns the fixes of a refused node of a sound card, each extended to the card's control node.
  ///
  /// Without the control node, ALSA cannot open the card.
  func completed(_ remedies: [Remedy], of chosen: Assessment) -> [Remedy] {
    guard case .refused = chosen.conclusion, !chosen.isRefusedOutsideModel,
      let device = chosen.device,
      device.subsystem == DeviceKind.microphone.subsystem, let node = device.node,
      let control = refusedControl(of: device)
    else { return remedies }
    let partners = AdviceWriter(control.assessment).advice(for: control.reasons).remedies
    let prover = RemedyProver(chosen, names: chosen.names)
    let completed = remedies.compactMap { remedy -> Remedy? in
      if remedy.changes.isEmpty || opens([control], after: remedy) { return remedy }
      let title = remedy.title.replacing(node, with: control.path)
      let found =
        partners.first { $0.title == title }
        ?? partners.first { remedy.addsUserEntry && $0.addsUserEntry }
      guard let partner = found else { return remedy.isProven ? nil : remedy }
      var whole = remedy
      whole.title = remedy.title.replacing(node, with: "\(node) and \(control.path)")
      whole.steps = [remedy.pairedStep(with: partner)]
      guard var proven = prover.checked(whole).first else { return nil }
      proven.isInterim = remedy.isInterim
      return proven
    }
    return completed.isEmpty ? remedies : completed
  }

  /// Returns the commands that show more about the refusals, without duplicates.
  func lookups(forAll companions: [Companion]) -> [Lookup] {
    var lookups: [Lookup] = []
    for companion in companions {
      let advice = AdviceWriter(companion.assessment).advice(for: companion.reasons)
      lookups += advice.lookups.filter { !lookups.contains($0) }
    }
    return Array(lookups.prefix(4))
  }

  private func opens(_ companions: [Companion], after remedy: Remedy) -> Bool {
    guard remedy.isProven, !remedy.changes.isEmpty, var after = applying(remedy.changes) else {
      return false
    }
    after.kernelChecks = []
    after.attempts = []
    return companions.allSatisfy { after.assessment(of: $0.path).isGranted }
  }
}

extension AccessFacts.Companion {
  /// The group that has access to the node, if the subject is not in it.
  fileprivate var group: UInt32? {
    guard reasons.contains(where: { $0.code == .groupNotMember }) else { return nil }
    return assessment.decidingStep?.node?.gid
  }
}

extension Decision {
  /// Returns the refusal of a companion, preceded by the steps of this decision, which allows the
  /// device to be opened.
  func refused(by companion: Assessment) -> Decision {
    let refusal = companion.reported
    var decision = refusal
    decision.steps = steps + refusal.steps.suffix(1)
    return decision
  }
}

extension Remedy {
  /// A Boolean value that indicates whether the remedy only sets ACL entries, and each change
  /// includes an entry for a named user.
  fileprivate var addsUserEntry: Bool {
    !changes.isEmpty
      && changes.allSatisfy { change in
        guard case .setEntries(_, let entries) = change else { return false }
        return entries.contains { $0.tag == .user && $0.id != nil }
      }
  }

  /// Returns a step with the commands of both fixes, without duplicates.
  fileprivate func pairedStep(with other: Remedy) -> Step {
    let own = commands
    let others = other.commands
    let paired =
      own.count == others.count
      ? zip(own, others).flatMap { $0 == $1 ? [$0] : [$0, $1] }
      : own + others.filter { !own.contains($0) }
    return Step(
      actor, commands: paired, options: options + other.options.filter { !options.contains($0) },
      changes: changes + other.changes)
  }
}

/// The directory in which programs mark a serial port as used.
extension AccessFacts {
  /// The directory in which programs create lock files (usually `_PATH_LOCKD`; FHS 3.0, section
  /// 5.9).
  package static let lockDirectory = "/var/lock"

  /// Returns the cause and the remedies if the subject may use the port but not the lock directory.
  func refusedLock(of chosen: Assessment) -> (cause: Cause, remedies: [Remedy])? {
    guard let device = chosen.device, device.subsystem == DeviceKind.serial.subsystem,
      access.object(at: Self.lockDirectory)?.type == .directory
    else { return nil }
    var facts = self
    facts.kind = nil
    facts.attempts = []
    facts.access.request = .access(
      path: Self.lockDirectory, mode: [.write, .search], effective: true, noFollow: false)
    let assessment = Assessment(facts, access: facts.access, device: nil, checks: [])
    guard case .refused = assessment.conclusion else { return nil }
    let cause = Layers(assessment).use.lockCause(of: device.node ?? chosen.access.request.path)
    return (cause, AdviceWriter(assessment).advice(for: [cause]).remedies)
  }
}

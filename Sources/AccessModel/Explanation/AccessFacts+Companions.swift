/// The nodes that programs open together with a device.
extension AccessFacts {
  /// A node that is refused, and that programs open together with the device in question.
  struct Companion {
    var assessment: Assessment
    /// Why this node is refused; never empty.
    var reasons: [Cause]
    /// Which programs need the node, as a sentence.
    var need: String
    /// Whether the kind of device cannot be called usable without it.
    var isRequired = false

    var path: String { assessment.access.request.path }

    /// That the node is needed, with the first reason why it cannot be had.
    var cause: Cause {
      let why = reasons.first.map { " \($0.summary)" } ?? ""
      return Cause(
        .auxNode, summary: "\(need)\(why)", at: path,
        isProven: isRequired && reasons.first?.isProven == true)
    }
  }

  /// The refused companions of a device that may itself be opened, those that are required first.
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

  /// The control node of a sound card: ALSA opens it before each other node of the card
  /// (`snd_ctl_hw_open`).
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

  /// The refused nodes that the driver has for all its devices.
  private func refusedByName(_ path: String) -> [Companion] {
    NodeCompanions.required(with: path).compactMap { companion in
      refusal(
        of: companion, need: "Programs open \(companion) together with \(path).", isRequired: true)
    }
  }

  /// The nodes beside a render node through which a driver takes work that has no picture.
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
      refusal(of: path, need: "\(programs) open \(path) next to \(render).", isRequired: true)
    }
  }

  // MARK: - Cameras

  /// What refuses the camera of a pipeline, where no node is a camera by itself: its media
  /// controller, or all the memory that pictures could be put in.
  func refusedPipelineCompanions() -> [Companion] {
    guard !pipelineNodes.isEmpty else { return [] }
    let nodes = access.nodes.filter { $0.type.isDevice }.map(\.path)
    let media = nodes.filter { $0.hasPrefix("/dev/media") }.prefix(16)
    let controller =
      media.lazy.compactMap { refusal(of: $0, need: Self.need(of: $0)) }.first
      ?? missingController(besides: media)
    // libcamera takes the first heap that it may open, or else udmabuf.
    let heaps = nodes.filter { $0.hasPrefix("/dev/dma_heap/") || $0 == "/dev/udmabuf" }.prefix(16)
    let closed = heaps.compactMap { refusal(of: $0, need: Self.need(of: $0)) }
    let memory = closed.count == heaps.count ? closed.first : nil
    return [controller, memory].compactMap(\.self)
  }

  /// The media controllers of a pipeline that sysfs shows, where the container has none of them.
  private func missingController(besides nodes: some Collection<String>) -> Companion? {
    guard nodes.isEmpty, confinement.container != nil, access.object(at: "/dev") != nil,
      let path = hardware?.pipelineControllers.first
    else { return nil }
    let assessment = assessment(of: path)
    guard let cause = Layers(assessment).nodes.missingControllerCause() else { return nil }
    return Companion(assessment: assessment, reasons: [cause], need: Self.need(of: path))
  }

  /// The media controller of a camera that may be used, where the controller may not: programs
  /// that use libcamera then do not find the camera.
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

  /// The first node of a pipeline that is refused: some are meant for no user at all, so that it
  /// may be no fault.
  func refusedPipelineNode() -> Companion? {
    pipelineNodes.lazy.compactMap { refusal(of: $0, need: Self.need(of: $0)) }.first
  }

  private static func need(of path: String) -> String {
    "Programs that use libcamera need \(path) next to the camera."
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

  /// A node whose opening for reading and writing is refused, or that is known to be missing; `nil`
  /// for anything else.
  private func refusal(of path: String, need: String, isRequired: Bool = false) -> Companion? {
    let assessment = self.assessment(of: path)
    switch assessment.verdict {
    case .refused: break
    case .absent where isRequired && isKnownMissing(path): break
    case .absent, .undecided, .granted: return nil
    }
    let causes = CauseOrder(assessment).causes()
    guard !causes.isEmpty else { return nil }
    return Companion(
      assessment: assessment, reasons: causes, need: need, isRequired: isRequired)
  }

  /// Whether somebody looked for a node and did not find it: the kernel did, or all nodes of a kind
  /// were walked to, as those of a device that udev knows.
  private func isKnownMissing(_ path: String) -> Bool {
    let isRefused = kernelChecks.contains { $0.path == path && $0.errno == .noSuchFile }
    return isRefused || kind != nil && devices.contains { $0.node == path }
  }

  private func assessment(of path: String) -> Assessment {
    var access = access
    access.request = .open(path: path, flags: [.readWrite, .nonBlocking])
    let device = devices.first { $0.node == path }
    var facts = self
    // The node of no listed device is a companion, and nothing that stands in a camera's place.
    if device == nil { facts.kind = nil }
    return Assessment(facts, access: access, device: device, checks: kernelChecks)
  }

  // MARK: - One cause and one fix for all of them

  /// The group that all the nodes give access, and that the subject is not in: then this is the
  /// cause, and not that one of the nodes was forgotten.
  func sharedGroupCause(_ companions: [Companion]) -> Cause? {
    guard companions.count > 1, let first = companions.first?.group,
      companions.allSatisfy({ $0.group == first }), let assessment = companions.first?.assessment
    else { return nil }
    let names = assessment.names
    let paths = companions.map(\.path)
    let all = paths.dropLast().joined(separator: ", ") + " and " + (paths.last ?? "")
    return Cause(
      .groupNotMember,
      summary: """
        \(all) give \(names.group(first)) read and write, and \
        \(names.user(assessment.subject.fsuid)) is not in it.
        """, at: paths.first, isProven: false)
  }

  /// What opens every one of the nodes: fixes that do so at once, and those of each as a sequence.
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

  /// The fixes of a refused node of a sound card, each with what the card's control node needs.
  ///
  /// A fix for the one node would leave a card that ALSA cannot open.
  func completed(_ remedies: [Remedy], of chosen: Assessment) -> [Remedy] {
    guard case .refused = chosen.verdict, !chosen.isRefusedOutsideModel, let device = chosen.device,
      device.subsystem == DeviceKind.microphone.subsystem, let node = device.node,
      let control = refusedControl(of: device)
    else { return remedies }
    let partners = AdviceWriter(control.assessment).advice(for: control.reasons).remedies
    let prover = RemedyProver(chosen, names: chosen.names)
    let completed = remedies.compactMap { remedy -> Remedy? in
      if remedy.changes.isEmpty || opens([control], after: remedy) { return remedy }
      let title = remedy.title.replacing(node, with: control.path)
      guard let partner = partners.first(where: { $0.title == title }) else {
        return remedy.isProven ? nil : remedy
      }
      var whole = remedy
      whole.title = remedy.title.replacing(node, with: "\(node) and \(control.path)")
      whole.steps = [remedy.pairedStep(with: partner)]
      guard var proven = prover.checked(whole).first else { return nil }
      proven.isInterim = remedy.isInterim
      return proven
    }
    return completed.isEmpty ? remedies : completed
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
  /// The group that would be let in, where the subject lacks it.
  fileprivate var group: UInt32? {
    guard reasons.contains(where: { $0.code == .groupNotMember }) else { return nil }
    return assessment.decidingStep?.node?.gid
  }
}

extension Decision {
  /// The decision about a device that may be opened, followed by the check that refuses a companion.
  func refused(by companion: Assessment) -> Decision {
    let refusal = companion.reported
    var decision = refusal
    decision.steps = steps + refusal.steps.suffix(1)
    return decision
  }
}

extension Remedy {
  /// The commands of both, each pair of equal ones once.
  fileprivate func pairedStep(with other: Remedy) -> Step {
    let own = commands
    let others = other.commands
    let paired =
      own.count == others.count
      ? zip(own, others).flatMap { $0 == $1 ? [$0] : [$0, $1] }
      : own + others.filter { !own.contains($0) }
    return Step(actor, commands: paired, changes: changes + other.changes)
  }
}

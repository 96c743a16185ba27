/// What else a camera needs that no node of it delivers alone.
extension AccessFacts {
  /// A node on which a program that uses libcamera would fail, and why.
  struct Companion {
    var assessment: Assessment
    /// Why this node is refused; never empty.
    var reasons: [Cause]

    var path: String { assessment.access.request.path }

    /// That the node is needed, with the first reason why it cannot be had.
    var cause: Cause {
      let why = reasons.first.map { " \($0.summary)" } ?? ""
      return Cause(
        .auxNode,
        summary: "Programs that use libcamera need \(path) beside the camera.\(why)", at: path,
        isProven: false)
    }
  }

  /// What refuses the camera of a pipeline, where no node is a camera by itself: its media
  /// controller, or all the memory that pictures could be put in.
  func refusedCompanions() -> [Companion] {
    guard !pipelineNodes.isEmpty else { return [] }
    let nodes = access.nodes.filter { $0.type.isDevice }.map(\.path)
    let media = nodes.filter { $0.hasPrefix("/dev/media") }.prefix(16)
    let controller = media.lazy.compactMap { refusal(of: $0) }.first
    // libcamera takes the first heap that it may open, or else udmabuf.
    let heaps = nodes.filter { $0.hasPrefix("/dev/dma_heap/") || $0 == "/dev/udmabuf" }.prefix(16)
    let closed = heaps.compactMap { refusal(of: $0) }
    let memory = closed.count == heaps.count ? closed.first : nil
    return [controller, memory].compactMap(\.self)
  }

  /// The media controller of a camera that may be used, where the controller may not: programs
  /// that use libcamera then do not find the camera.
  func refusedController(of camera: DeviceFacts?) -> Companion? {
    guard kind == DeviceKind.camera.name, let camera else { return nil }
    // Both belong to one interface: `…/1-4:1.0/video4linux/video0` and `…/1-4:1.0/media0`.
    let interface = camera.sysfsPath.split(separator: "/").dropLast(2)
    let controllers = devices.filter { device in
      device.subsystem == "media"
        && device.sysfsPath.split(separator: "/").dropLast() == interface
    }
    return controllers.lazy.compactMap { $0.node.flatMap(refusal) }.first
  }

  /// The first node of a pipeline that is refused: some are meant for no user at all, so that it
  /// may be no fault.
  func refusedPipelineNode() -> Companion? {
    pipelineNodes.lazy.compactMap { refusal(of: $0) }.first
  }

  private var pipelineNodes: [String] {
    guard kind == DeviceKind.camera.name, DeviceKind.camera.candidates(in: devices).isEmpty else {
      return []
    }
    return DeviceKind.camera.others(in: devices).filter { $0.role == .pipeline }
      .compactMap(\.node).prefix(16).map(\.self)
  }

  /// The causes of a refusal of reading and writing; `nil` for anything else.
  private func refusal(of path: String) -> Companion? {
    let assessment = self.assessment(of: path)
    guard case .refused = assessment.verdict else { return nil }
    let causes = CauseOrder(assessment).causes()
    return causes.isEmpty ? nil : Companion(assessment: assessment, reasons: causes)
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
    let names = Names(account, subject: assessment.subject)
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

/// What else a camera needs that no node of it delivers alone.
extension AccessFacts {
  /// A node on which a program that uses libcamera would fail, and why.
  struct Companion {
    var judgement: Judgement
    /// Never empty.
    var causes: [Cause]
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
    return [controller, memory].compactMap(\.self).map { companion in
      let path = companion.judgement.access.request.path
      let why = companion.causes.first.map { " \($0.summary)" } ?? ""
      let cause = Cause(
        .auxNode,
        summary: "Programs that use libcamera need \(path) beside the camera.\(why)", at: path,
        isProven: false)
      return Companion(judgement: companion.judgement, causes: [cause])
    }
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
    var access = access
    access.request = .open(path: path, flags: [.readWrite, .nonBlocking])
    let judgement = Judgement(
      self, access: access, device: devices.first { $0.node == path }, checks: kernelChecks)
    guard case .refused = judgement.verdict else { return nil }
    let causes = CauseFinder(judgement).causes()
    return causes.isEmpty ? nil : Companion(judgement: judgement, causes: causes)
  }
}

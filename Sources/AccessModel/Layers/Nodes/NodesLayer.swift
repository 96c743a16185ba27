/// What is at the path, whatever its permissions: another node, a companion, or no device.
struct NodesLayer: Layer {
  let assessment: Assessment
  let names: Names

  func remedies(for cause: Cause) -> [Remedy] {
    let at = place(of: cause)
    switch cause.code {
    case .nodeRenumbered, .wrongNodeMetadata, .wrongNodePipeline:
      return otherNodeRemedies(cause.code)
    case .loopbackCaps: return loopbackRemedies()
    case .nodeNotADevice: return notADeviceRemedies(node(of: cause), at)
    case .auxNode:
      let rules = UdevRules(assessment: assessment, names: names)
      return [rules.entryRule(at), rules.companionRule(node(of: cause), at)].compactMap(\.self)
    default: return []
    }
  }

  func note(for cause: Cause) -> String? {
    guard cause.code == .nodeNotADevice, assessment.decision.rule != .openIsDirectory else {
      return nil
    }
    return "No permission is missing: the object is of another type."
  }

  // MARK: - Nodes of other devices

  /// That the node of a path is another one now.
  func renumberedCause(at missing: String) -> Cause? {
    guard facts.kind == nil, let device = renumbered() else { return nil }
    return Cause(
      .nodeRenumbered,
      summary: """
        \(path) does not exist; \(device.node ?? device.kernelName) does, as after a replug.\
        \(Self.linkFolder(of: device).map { " Links below \($0) stay the same." } ?? "")
        """, at: missing, isProven: false)
  }

  /// Another node of the kind and the name that the missing path looks like one of.
  ///
  /// The name is the driver's, which a device keeps: a built-in port does not come in the place of
  /// one on USB.
  private func renumbered() -> DeviceFacts? {
    missingKind.flatMap { kind, stem in
      kind.candidates(in: facts.devices).first {
        $0.node != path && $0.kernelName.prefix { !$0.isNumber } == stem
      }
    }
  }

  /// The kind that the path looks like one of, with its name; `nil` for a name without a number.
  private var missingKind: (kind: DeviceKind, stem: Substring)? {
    guard path.hasPrefix("/dev/") else { return nil }
    let name = path.dropFirst(5)
    let stem = name.prefix { !$0.isNumber }
    guard !stem.isEmpty, stem.count < name.count,
      let kind = DeviceKind.all.first(where: { $0.namePrefixes.contains(String(stem)) })
    else { return nil }
    return (kind, stem)
  }

  /// The folder of links that are named after the device and not after its number, which udev's own
  /// rules make; `nil` for devices that have none.
  private static func linkFolder(of device: DeviceFacts) -> String? {
    switch device.subsystem {
    case "video4linux": "/dev/v4l/by-id"
    case "tty" where ["ttyUSB", "ttyACM"].contains(where: device.kernelName.hasPrefix):
      "/dev/serial/by-id"
    default: nil
    }
  }

  /// Whether a link is named after the device, or after the place where it is plugged in.
  private static func isLasting(_ link: String) -> Bool {
    let parts = link.split(separator: "/")
    return parts.count == 4 && ["by-id", "by-path"].contains(parts[2])
  }

  /// That the node which was asked for by its path is no camera, or no microphone.
  func wrongNodeCause() -> Cause? {
    facts.kind == nil ? assessment.device.flatMap(wrongNodeCause(for:)) : nil
  }

  /// Why a node of the camera's subsystem is no camera; `nil` for a camera.
  func wrongNodeCause(for device: DeviceFacts) -> Cause? {
    if device.role == .speaker {
      return Cause(
        .wrongNodeMetadata,
        summary: "\(device.node ?? device.kernelName) does not record sound: it is a speaker.",
        at: device.node ?? device.kernelName, isProven: device.roleConfidence != .guess)
    }
    guard device.subsystem == DeviceKind.camera.subsystem else { return nil }
    let node = device.node ?? device.kernelName
    let isSure = device.roleConfidence == .certain
    switch device.role {
    case .capture: return nil
    case .memoryToMemory, .pipeline, .subdevice:
      return Cause(
        .wrongNodePipeline,
        summary: "\(node) is not a camera by itself: it is \(device.role.noun).",
        at: node, isProven: isSure)
    case .output where VideoDriver(of: device) == .loopback:
      return Cause(
        .loopbackCaps,
        summary: """
          \(node) is a virtual camera that delivers no picture now: no program feeds it.
          """, at: node, isProven: device.isFed == false)
    default:
      return Cause(
        .wrongNodeMetadata,
        summary: "\(node) delivers no pictures: it is \(device.role.noun).", at: node,
        isProven: isSure)
    }
  }

  /// A virtual camera that was asked for as a camera, and that nothing may feed.
  func unfedCause() -> Cause? {
    guard facts.kind != nil, let device, device.isUnfedLoopback else { return nil }
    return Cause(
      .loopbackCaps,
      summary: """
        \(path) is a virtual camera that also takes pictures: it delivers them only while a \
        program feeds it.
        """, at: path, isProven: device.isFed == false)
  }

  /// A pipeline whose video nodes are missing or not for everybody: programs reach its camera
  /// through libcamera.
  func pipelineCauses(_ hardware: HardwareFacts) -> [Cause] {
    let pipelines = hardware.media.filter { $0.isPipeline }
    guard facts.kind == DeviceKind.camera.name, let media = pipelines.first else { return [] }
    let name = media.model ?? media.driver ?? media.kernelName
    return [
      Cause(
        .wrongNodePipeline,
        summary: """
          The machine has a camera pipeline (\(name), /dev/\(media.kernelName)), which gives \
          pictures to programs that use libcamera, and no camera that is used by itself.
          """, at: "/dev/\(media.kernelName)", isProven: false)
    ]
  }

  func otherNodeRemedies(_ code: CauseCode) -> [Remedy] {
    // What is in the place of a camera is mended by the camera; a missing node by one of its kind.
    let kind = code == .nodeRenumbered ? missingKind?.kind ?? .camera : .camera
    let best =
      code == .nodeRenumbered && device == nil
      ? renumbered() : kind.candidates(in: facts.devices).first
    if let best, let node = best.node, node != device?.node {
      let links = best.links.filter(Self.isLasting).sorted()
      let stays = links.first.map { " by \($0), a name that stays" } ?? ""
      let noun = kind == .camera ? "camera" : "device"
      return [
        Remedy(
          "Use \(node), the \(noun)'s own node\(links.isEmpty ? "" : ",")\(stays)", actor: .user,
          lasts: links.isEmpty && code == .nodeRenumbered
            ? "until the \(noun) gets another number" : nil,
          assumes: "the permissions of \(node) let the user in")
      ]
    }
    guard code == .wrongNodePipeline else { return [] }
    return [
      Remedy(
        "Use a program that reaches the camera through libcamera or PipeWire", actor: .user,
        assumes: "the program supports libcamera or PipeWire")
    ]
  }

  func loopbackRemedies() -> [Remedy] {
    let feed = Remedy(
      "Start the program that feeds the virtual camera", actor: .user,
      assumes: "no program feeds it now")
    // One that only takes pictures has exclusive_caps, and shows as a camera once it is fed.
    guard device?.isUnfedLoopback == true else { return [feed] }
    let count = facts.devices.count { VideoDriver(of: $0) == .loopback }
    let each = Array(repeating: "1", count: max(count, 1)).joined(separator: ",")
    let options = "exclusive_caps=\(each)" + (count > 1 ? " devices=\(count)" : "")
    return [
      feed,
      Remedy(
        "Load the module so that it shows as a camera only while it is fed",
        commands: [
          "echo 'options v4l2loopback \(options)' > /etc/modprobe.d/devaccess-v4l2loopback.conf",
          "modprobe -r v4l2loopback", "modprobe v4l2loopback",
        ],
        actor: .administrator, takesEffect: "after the module is loaded again",
        assumes: "no program uses one of its nodes"),
    ]
  }

  // MARK: - Companions

  /// That programs need the node beside a camera.
  func companionCause() -> Cause? {
    guard facts.kind == nil, assessment.verdict != .granted, let programs = companionUsers else {
      return nil
    }
    return Cause(
      .auxNode,
      summary: """
        \(path) is a companion node: \(programs) need it beside the camera, and report \
        "no cameras" without it.
        """, at: path, isProven: false)
  }

  /// Which programs open the node beside a camera; `nil` for a node that is no companion.
  private var companionUsers: String? {
    if path == "/dev/vchiq" { return "programs that use the Raspberry Pi's firmware for cameras" }
    let isCompanion = ["/dev/media", "/dev/dma_heap/", "/dev/udmabuf", "/dev/v4l-subdev"]
      .contains { path.hasPrefix($0) }
    return isCompanion ? "camera programs that use libcamera" : nil
  }
}

extension HardwareFacts.MediaDevice {
  /// Whether it is a pipeline of a camera sensor or an image processor, and not the controller
  /// of a webcam or of a codec.
  fileprivate var isPipeline: Bool {
    VideoDriver(named: driver ?? "") == .pipeline || VideoDriver(named: model ?? "") == .pipeline
  }
}

/// What is at the path, whatever its permissions: another node, a companion, or no device.
struct NodesLayer: Layer {
  let assessment: Assessment
  let names: Names

  func remedies(for cause: Cause) -> [Remedy] {
    let at = place(of: cause)
    switch cause.code {
    case .wrongNodePipeline where lacksSensor: return sensorRemedies()
    case .nodeRenumbered, .wrongNodeMetadata, .wrongNodePipeline:
      return otherNodeRemedies(cause.code)
    case .loopbackCaps: return loopbackRemedies()
    case .nodeNotADevice: return notADeviceRemedies(node(of: cause), at)
    case .auxNode:
      let rules = UdevRules(assessment: assessment, names: names)
      if assessment.verdict == .absent { return controllerRemedies() }
      return [rules.entryRule(at), rules.companionRule(node(of: cause), at)].compactMap(\.self)
    default: return []
    }
  }

  func lookups(for cause: Cause) -> [Lookup] {
    guard cause.code == .wrongNodePipeline, lacksSensor else { return [] }
    return [
      Lookup(
        "Read what the kernel reports about sensors", commands: [kernelLog("csi|sensor|i2c")],
        isPrivileged: true)
    ]
  }

  func note(for cause: Cause) -> String? {
    guard cause.code == .nodeNotADevice, assessment.decision.rule != .openIsDirectory else {
      return nil
    }
    return "No permission is missing: the object is of another type."
  }

  // MARK: - Nodes of other devices

  /// That the node of a path is another one now.
  ///
  /// Only where one device alone can be it: of several, any may have been there all the time.
  func renumberedCause(at missing: String) -> Cause? {
    let others = lookalikes
    guard facts.kind == nil, others.count == 1, let device = others.first else { return nil }
    return Cause(
      .nodeRenumbered,
      summary: """
        \(path) does not exist; \(device.node ?? device.kernelName) does, as after a replug.\
        \(Self.linkSentence(of: device))
        """, at: missing, isProven: false)
  }

  /// That nothing is at the path, and where the devices are that it looks like one of; `nil` unless
  /// there are several, none of which can be told to be the missing one.
  var absenceBesideOthers: String? {
    let others = lookalikes
    guard facts.kind == nil, place == path, others.count > 1, let first = others.first,
      let (kind, stem) = missingKind
    else { return nil }
    let noun = kind == .camera ? "camera" : "\(stem) device"
    var places = others.prefix(4).compactMap(\.node)
    if others.count > places.count { places.append("\(others.count - places.count) more") }
    let list = places.dropLast().joined(separator: ", ") + " and " + (places.last ?? "")
    return "\(path) does not exist; the \(noun)s are at \(list).\(Self.linkSentence(of: first))"
  }

  /// The other devices of the kind and the name that the missing path looks like one of.
  ///
  /// The name is the driver's, which a device keeps: a built-in port does not come in the place of
  /// one on USB.
  private var lookalikes: [DeviceFacts] {
    guard let (kind, stem) = missingKind else { return [] }
    return kind.candidates(in: facts.devices).filter {
      $0.node != path && Self.stem(of: $0.kernelName[...]) == stem
    }
  }

  /// The kind that the path looks like one of, with its name; `nil` for a name without a number.
  private var missingKind: (kind: DeviceKind, stem: Substring)? {
    guard path.hasPrefix("/dev/") else { return nil }
    let name = path.dropFirst(5)
    let stem = Self.stem(of: name)
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

  /// That the links named after the device stay, as one sentence with a space before it.
  private static func linkSentence(of device: DeviceFacts) -> String {
    linkFolder(of: device).map { " Links below \($0) stay the same." } ?? ""
  }

  /// Whether a link is named after the device, or after the place where it is plugged in.
  private static func isLasting(_ link: String) -> Bool {
    let parts = link.split(separator: "/")
    return parts.count == 4 && ["by-id", "by-path"].contains(parts[2])
  }

  /// That the node which was asked for by its path is not a camera, or not a microphone.
  ///
  /// A speaker that is refused may be wanted to play.
  func wrongNodeCause() -> Cause? {
    guard facts.kind == nil, let device, device.role != .speaker || assessment.isGranted else {
      return nil
    }
    return wrongNodeCause(for: device)
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

  /// A virtual camera that nothing may feed.
  func unfedCause() -> Cause? {
    guard let device, device.isUnfedLoopback else { return nil }
    let what =
      device.isKept
      ? "that a control keeps as one: it delivers pictures"
      : "that also takes pictures: it delivers them"
    return Cause(
      .loopbackCaps,
      summary: "\(path) is a virtual camera \(what) only while a program feeds it.",
      at: path, isProven: device.isFed == false)
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
          The machine has a camera pipeline (\(name), /dev/\(media.kernelName)), \
          \(lacksSensor ? Self.withoutSensor : "which gives pictures to programs that use libcamera"), \
          and no camera that is used by itself.
          """, at: "/dev/\(media.kernelName)", isProven: false)
    ]
  }

  /// Whether sysfs shows no sensor at the camera pipelines: one has a node of its own on its bus,
  /// `v4l-subdev*`, once all parts of the pipeline are there.
  var lacksSensor: Bool {
    let devices = facts.devices.filter { $0.subsystem == DeviceKind.camera.subsystem }
    let parts = devices.filter { $0.role == .pipeline }
    let hasPipeline =
      parts.contains { $0.driver != nil } || facts.hardware?.pipelineControllers.isEmpty == false
    guard facts.kind == DeviceKind.camera.name, hasPipeline,
      // A container may show a part of sysfs.
      confinement.container == nil,
      !facts.unobserved.contains(where: { $0.layer == Unobserved.devicesLayer })
    else { return false }
    // What is used has one.
    if let use = facts.use, parts.contains(where: { use.use(of: $0)?.isHeld == true }) {
      return false
    }
    return !devices.contains { $0.role == .subdevice && $0.isOnControlBus }
  }

  private static let withoutSensor = """
    in which sysfs shows no sensor: libcamera finds no camera either, until the driver of a sensor is \
    bound to it
    """

  /// That a pipeline has no sensor, in the place of what its nodes are; the same cause where it has one.
  func withoutSensor(_ cause: Cause) -> Cause {
    guard cause.code == .wrongNodePipeline, lacksSensor else { return cause }
    var cause = cause
    cause.summary = "\(cause.at ?? path) is a node of a camera pipeline, \(Self.withoutSensor)."
    return cause
  }

  private func sensorRemedies() -> [Remedy] {
    [
      Remedy(
        """
        Check the cable of the sensor, and whether the device tree or the firmware names the sensor \
        (on a Raspberry Pi, dtoverlay= in config.txt)
        """, actor: .administrator, takesEffect: "after a restart",
        assumes: "a sensor is attached, and this kernel has a driver for it")
    ]
  }

  func otherNodeRemedies(_ code: CauseCode) -> [Remedy] {
    if code == .nodeRenumbered {
      // A node with an old number is at the device's own path: no other node is the device's.
      guard device == nil, let kind = missingKind?.kind, let now = lookalikes.first else {
        return []
      }
      let noun = kind == .camera ? "camera" : "device"
      return use(
        of: now, "the \(noun)'s own node",
        withoutLinkUntil: .renumbering)
    }
    // What is in the place of a camera is mended by the camera.
    let kind = device?.role == .speaker ? DeviceKind.microphone : .camera
    let candidates = kind.candidates(in: facts.devices).filter { $0.node != device?.node }
    if let device, let own = candidates.first(where: device.isOfSameDevice) {
      return use(of: own, "the \(kind.name)'s own node")
    }
    if let other = candidates.first { return use(of: other, "a \(kind.name) of another device") }
    guard code == .wrongNodePipeline else { return [] }
    return [
      Remedy(
        "Use a program that reaches the camera through libcamera or PipeWire", actor: .user,
        assumes: "the program supports libcamera or PipeWire")
    ]
  }

  /// The use of another node, by a link that stays where it has one.
  private func use(
    of other: DeviceFacts, _ what: String, withoutLinkUntil end: Remedy.End = .never
  ) -> [Remedy] {
    guard let node = other.node else { return [] }
    let link = other.links.filter(Self.isLasting).min()
    let stays = link.map { ", by \($0), a name that stays" } ?? ""
    return [
      Remedy(
        "Use \(node), \(what)\(stays)", actor: .user, until: link == nil ? end : .never,
        assumes: "the permissions of \(node) let the user in")
    ]
  }

  func loopbackRemedies() -> [Remedy] {
    // A program that has it open, and is no reader, may be the one that feeds it.
    let feeders = assessment.otherHolders.filter { holder in
      assessment.use?.direction(of: holder) != .views && !holder.process.isMediaServer
    }
    let feed =
      HolderWords(feeders).text.map { feeder in
        Remedy(
          "Have \(feeder), which has it open, send pictures, or start that program again",
          actor: .user, assumes: "it is the program that feeds the virtual camera")
      }
      ?? Remedy(
        "Start the program that feeds the virtual camera", actor: .user,
        assumes: "no program feeds it now")
    // One that only takes pictures has exclusive_caps, and shows as a camera once it is fed.
    guard device?.isUnfedLoopback == true else { return [feed] }
    // One that a control keeps has it already.
    guard device?.isKept != true else { return [feed] }
    let (options, hasNames) = LoopbackOptions.exclusive(facts.devices)
    return [
      feed,
      Remedy(
        "Load the module so that it shows as a camera only while it is fed",
        commands: [
          "echo 'options v4l2loopback \(options)' > /etc/modprobe.d/devaccess-v4l2loopback.conf",
          "modprobe -r v4l2loopback", "modprobe v4l2loopback",
        ],
        actor: .administrator, takesEffect: "after the module is loaded again",
        assumes: "no program uses one of its nodes"
          + (hasNames ? "" : ", and none looks for one by its name, which changes")),
    ]
  }

  // MARK: - Companions

  /// That a container lacks the media controllers of a pipeline that sysfs shows.
  func missingControllerCause() -> Cause? {
    guard let container = confinement.container, let hardware = facts.hardware else { return nil }
    return Cause(
      .auxNode,
      summary: """
        The \(container) container was started without \
        \(Self.list(hardware.pipelineControllers)), which sysfs shows.
        """, at: path, isProven: false)
  }

  private func controllerRemedies() -> [Remedy] {
    guard let hardware = facts.hardware, let container = confinement.container else { return [] }
    let start = ContainerStart(assessment: assessment, names: names)
    let paths = hardware.pipelineControllers
    return [
      Remedy(
        "Start the \(container) container with \(Self.list(paths)) as well",
        options: start.takesRunOptions
          ? paths.map { ContainerStart.deviceOption($0, outside: $0, start.letters) } : [],
        actor: .packager, takesEffect: "in a new container",
        assumes: "their owners and modes let the user of the container in")
    ]
  }

  /// Such as `a, b and c`.
  private static func list(_ names: [String]) -> String {
    guard names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }

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

extension DeviceFacts {
  /// Whether both nodes are of one device, such as the pictures and the metadata of a webcam, or
  /// the two directions of a sound card: their folder in sysfs is in the device's.
  fileprivate func isOfSameDevice(_ other: DeviceFacts) -> Bool {
    // Virtual cameras, which have no device above them, all are in the folder of their class.
    guard !isBelow("/devices/virtual/\(subsystem)/\(kernelName)") else { return false }
    return sysfsPath.split(separator: "/").dropLast()
      == other.sysfsPath.split(separator: "/").dropLast()
  }
}

extension DeviceFacts {
  /// Whether it is on the bus by which sensors and lenses are controlled.
  fileprivate var isOnControlBus: Bool { bus == "i2c" || isBelow("/i2c-") }
}

extension HardwareFacts {
  /// The media controllers of camera pipelines, which sysfs shows.
  var pipelineControllers: [String] {
    media.filter(\.isPipeline).prefix(8).map { "/dev/\($0.kernelName)" }
  }
}

extension HardwareFacts.MediaDevice {
  /// Whether it is a pipeline of a camera sensor or an image processor, and not the controller
  /// of a webcam or of a codec.
  fileprivate var isPipeline: Bool {
    VideoDriver(named: driver ?? "") == .pipeline || VideoDriver(named: model ?? "") == .pipeline
  }
}

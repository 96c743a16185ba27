/// The layer that determines which object is at the path, regardless of its permissions.
///
/// The object may be another device's node, a companion node, or not a device at all.
struct NodesLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<NodesLayer>] = [
    CauseDescription(
      .nodeNoDriver, "number without a driver", object: .other,
      remedies: { layer, cause in
        DriversLayer(assessment: layer.assessment, names: layer.names)
          .nodeDriverRemedies(layer.place(of: cause))
      }),
    CauseDescription(
      .nodeNotADevice, "path is not a device", object: .other,
      // A directory that was requested as such exists; the kernel only refuses to open it as a file.
      isObjectMissing: {
        $0.assessment.replacingObject != nil || $0.assessment.decision.rule != .openIsDirectory
      },
      remedies: { layer, cause in
        layer.notADeviceRemedies(layer.node(of: cause), layer.place(of: cause))
      },
      note: { layer, _ in layer.typeNote }),
    CauseDescription(
      .nodeOtherDevice, "node of another device", object: .other, isObjectMissing: { _ in true }),
    CauseDescription(
      .nodeRenumbered, "node has another number now", object: .other,
      remedies: { layer, cause in layer.otherNodeRemedies(cause.code) }),
    CauseDescription(
      .wrongNodeMetadata, "not a capture node", object: .other,
      isObjectMissing: { $0.isKindRefused },
      remedies: { layer, cause in layer.otherNodeRemedies(cause.code) }),
    CauseDescription(
      .wrongNodePipeline, "part of a camera pipeline", object: .other,
      isObjectMissing: { $0.isKindRefused },
      remedies: { layer, cause in
        layer.lacksSensor ? layer.sensorRemedies() : layer.otherNodeRemedies(cause.code)
      },
      lookups: { layer, _ in layer.sensorLookups() }),
    CauseDescription(
      .loopbackCaps, "virtual camera without a picture", object: .other,
      isObjectMissing: { $0.isKindRefused },
      remedies: { layer, _ in layer.loopbackRemedies() }),
    CauseDescription(
      .auxNode, "companion node refused",
      remedies: { layer, cause in layer.companionRemedies(cause) }),
  ]

  private func companionRemedies(_ cause: Cause) -> [Remedy] {
    if assessment.conclusion == .absent {
      return missingComputeRemedies(place(of: cause)) ?? controllerRemedies()
    }
    let rules = UdevRuleRemedies(assessment: assessment, names: names)
    return [
      rules.entryRule(place(of: cause)), rules.companionRule(node(of: cause), place(of: cause)),
    ]
    .compactMap(\.self)
  }

  private func sensorLookups() -> [Lookup] {
    guard lacksSensor else { return [] }
    return [
      Lookup(
        "Read what the kernel reports about sensors", commands: [kernelLog("csi|sensor|i2c")],
        isPrivileged: true)
    ]
  }

  private var typeNote: String? {
    assessment.decision.rule == .openIsDirectory
      ? nil : "No permission is missing: the object is of another type."
  }

  // MARK: - Nodes of other devices

  /// Returns the cause for a missing path whose device now probably has another node.
  ///
  /// The cause requires exactly one matching device. If there are several, each may have existed
  /// before.
  func renumberedCause(at missing: String) -> Cause? {
    let others = lookalikes
    guard facts.kind == nil, others.count == 1, let device = others.first else { return nil }
    return Cause(
      .nodeRenumbered,
      summary: """
        \(path) does not exist, but \(device.node ?? device.kernelName) does: the device probably got \
        another number when it was replugged.\
        \(Self.linkSentence(of: device))
        """, at: missing, isProven: false)
  }

  /// A summary for a missing path that several devices resemble, including their nodes.
  ///
  /// The value is `nil` if fewer than two devices resemble the path.
  var absenceBesideOthers: String? {
    let others = lookalikes
    guard facts.kind == nil, place == path, others.count > 1, let first = others.first,
      let (kind, stem) = missingKind
    else { return nil }
    let noun = kind == .camera ? "camera" : "\(stem) device"
    var places = others.prefix(4).compactMap(\.node)
    if others.count > places.count { places.append("\(others.count - places.count) more") }
    return """
      \(path) does not exist; the \(noun)s are at \(places.listed()).\(Self.linkSentence(of: first))
      """
  }

  /// The devices with the kind and unnumbered name of the missing path.
  ///
  /// The unnumbered name depends on the driver, so a built-in port never replaces a USB port.
  private var lookalikes: [DeviceFacts] {
    guard let (kind, stem) = missingKind else { return [] }
    return kind.candidates(in: facts.devices).filter {
      $0.node != path && Self.stem(of: $0.kernelName[...]) == stem
    }
  }

  /// The device kind and the unnumbered name of the path; `nil` if the name has no number.
  private var missingKind: (kind: DeviceKind, stem: Substring)? {
    guard path.hasPrefix("/dev/") else { return nil }
    let name = path.dropFirst(5)
    let stem = Self.stem(of: name)
    guard !stem.isEmpty, stem.count < name.count,
      let kind = DeviceKind.all.first(where: { $0.namePrefixes.contains(String(stem)) })
    else { return nil }
    return (kind, stem)
  }

  /// Returns the directory where udev's default rules create stable links for a device.
  ///
  /// - Returns: The directory; `nil` if the rules create no such links for the device.
  private static func linkFolder(of device: DeviceFacts) -> String? {
    switch device.subsystem {
    case "video4linux": "/dev/v4l/by-id"
    case "tty" where ["ttyUSB", "ttyACM"].contains(where: device.kernelName.hasPrefix):
      "/dev/serial/by-id"
    default: nil
    }
  }

  /// Returns a sentence about the stable links of a device, with a leading space.
  private static func linkSentence(of device: DeviceFacts) -> String {
    linkFolder(of: device).map { " Links below \($0) stay the same." } ?? ""
  }

  /// Returns whether a link is named after the device or its port.
  private static func isLasting(_ link: String) -> Bool {
    let parts = link.split(separator: "/")
    return parts.count == 4 && ["by-id", "by-path"].contains(parts[2])
  }

  /// Returns the cause if the requested node is related to a camera or microphone, but is not one.
  ///
  /// For a speaker, the cause applies only if the request is to read, because otherwise the user
  /// may want to play sound.
  func wrongNodeCause() -> Cause? {
    guard facts.kind == nil, let device,
      device.role != .speaker || assessment.isGranted && wanted == .read
    else { return nil }
    var cause = wrongNodeCause(for: device)
    if let rule = linkRule(of: device) { cause?.summary += " \(rule.sentence)" }
    return cause
  }

  /// Returns the cause if a node is related to a camera or microphone, but is not one.
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
          \(node) is a virtual camera that delivers no picture at the moment: no program is \
          feeding it.
          """, at: node, isProven: device.isFed == false)
    default:
      return Cause(
        .wrongNodeMetadata,
        summary: "\(node) delivers no pictures: it is \(device.role.noun).", at: node,
        isProven: isSure)
    }
  }

  /// Returns the most informative of the causes that describe other nodes.
  ///
  /// A program can feed a virtual camera, and other programs can reach a pipeline. A metadata node
  /// is the least informative.
  func mostInformative(_ causes: [Cause]) -> Cause? {
    for code in [CauseCode.loopbackCaps, .wrongNodePipeline, .wrongNodeMetadata] {
      if let cause = causes.first(where: { $0.code == code }) { return cause }
    }
    return nil
  }

  /// Returns the cause for a virtual camera that may not be fed by any program.
  func unfedCause() -> Cause? {
    if let program = programOfChromium, device?.isLoopbackWithOutput == true {
      return Cause(
        .loopbackCaps,
        summary: """
          \(path) is a virtual camera that also accepts video output (v4l2loopback without \
          exclusive_caps). \(program) leaves such cameras out.
          """, at: path, isProven: false)
    }
    guard let device, device.isUnfedLoopback else { return nil }
    let what =
      device.isKept
      ? "that a control keeps as one: it delivers pictures"
      : "that also accepts video output: it delivers pictures"
    return Cause(
      .loopbackCaps,
      summary: "\(path) is a virtual camera \(what) only while a program feeds it.",
      at: path, isProven: device.isFed == false)
  }

  /// The subject's program, if it lists cameras as Chromium does: only those that accept no output.
  private var programOfChromium: String? {
    let names = ["brave", "chrome", "chromium", "electron", "msedge", "opera", "vivaldi"]
    guard let program = facts.origin?.name, facts.origin?.kind == .process,
      names.contains(String(program.prefix { $0 != "-" && !$0.isNumber }))
    else { return nil }
    return HolderWords.word(program)
  }

  /// Returns the cause for a camera pipeline, which programs reach through libcamera.
  func pipelineCauses(_ hardware: HardwareFacts) -> [Cause] {
    let pipelines = hardware.media.filter { $0.isPipeline }
    guard facts.kind == DeviceKind.camera.name, let media = pipelines.first else { return [] }
    let name = media.model ?? media.driver ?? media.kernelName
    return [
      Cause(
        .wrongNodePipeline,
        summary: """
          The machine has a camera pipeline (\(name), /dev/\(media.kernelName)), \
          \(lacksSensor ? Self.withoutSensor : "which delivers pictures to programs that use libcamera"). \
          There is no camera that programs can open directly.
          """, at: "/dev/\(media.kernelName)", isProven: false)
    ]
  }

  /// A Boolean value that indicates whether sysfs shows no sensor for the camera pipelines.
  ///
  /// When a pipeline is complete, the driver creates a node (`v4l-subdev*`) for the sensor.
  var lacksSensor: Bool {
    let devices = facts.devices.filter { $0.subsystem == DeviceKind.camera.subsystem }
    let parts = devices.filter { $0.role == .pipeline }
    let hasPipeline =
      parts.contains { $0.driver != nil } || facts.hardware?.pipelineControllers.isEmpty == false
    guard facts.kind == DeviceKind.camera.name, hasPipeline,
      // A container may show only a part of sysfs.
      confinement.container == nil,
      !facts.unobserved.contains(where: { $0.layer == Unobserved.devicesLayer })
    else { return false }
    // The driver of older Raspberry Pis creates no node for the sensor.
    guard !parts.contains(where: { $0.driver?.hasPrefix("unicam") == true }) else { return false }
    // If a program is using the pipeline, the pipeline has a sensor.
    if let use = facts.use, parts.contains(where: { use.use(of: $0)?.isHeld == true }) {
      return false
    }
    return !devices.contains { $0.role == .subdevice && $0.isOnControlBus }
  }

  private static let withoutSensor = """
    but sysfs shows no sensor in it: even libcamera finds no camera until a sensor driver is bound
    """

  /// Returns the cause, with a summary about the missing sensor if there is none.
  func withoutSensor(_ cause: Cause) -> Cause {
    guard cause.code == .wrongNodePipeline, lacksSensor else { return cause }
    var cause = cause
    cause.summary = "\(cause.at ?? path) belongs to a camera pipeline, \(Self.withoutSensor)."
    return cause
  }

  private func sensorRemedies() -> [Remedy] {
    [
      Remedy(
        """
        Check the cable of the sensor, and whether the device tree or the firmware names the sensor \
        (on a Raspberry Pi, dtoverlay= in config.txt)
        """, actor: .administrator, takesEffect: "after a reboot",
        assumes: "a sensor is attached, and this kernel has a driver for it")
    ]
  }

  func otherNodeRemedies(_ code: CauseCode) -> [Remedy] {
    if code == .nodeRenumbered {
      // A node with an outdated number is at the device's own path, so the device has no other
      // node.
      guard device == nil, let kind = missingKind?.kind, let now = lookalikes.first else {
        return []
      }
      let noun = kind == .camera ? "camera" : "device"
      return use(
        of: now, "the \(noun)'s own node",
        withoutLinkUntil: .renumbering)
    }
    // The requested node is not a camera or microphone, so suggest a node that is one.
    let kind = device?.role == .speaker ? DeviceKind.microphone : .camera
    let candidates = kind.candidates(in: facts.devices).filter { $0.node != device?.node }
    if let device, let own = candidates.first(where: device.isOfSameDevice) {
      return [linkRule(of: device)?.remedy(for: own)].compactMap(\.self)
        + use(
          of: own,
          kind == .camera
            ? "the node that delivers the camera's pictures" : "the \(kind.name)'s own node")
    }
    let outside = outsideRemedies(with: kind)
    if !outside.isEmpty { return outside }
    if let other = candidates.first { return use(of: other, "a \(kind.name) of another device") }
    guard code == .wrongNodePipeline else { return [] }
    return [
      Remedy(
        "Use a program that reaches the camera through libcamera or PipeWire", actor: .user,
        assumes: "the program supports libcamera or PipeWire, and libcamera supports the camera")
    ]
  }

  /// Returns the remedies that give the container the device's own node in place of this one.
  private func outsideRemedies(with kind: DeviceKind) -> [Remedy] {
    let others = facts.devices.filter { kind.roles.contains($0.role) && $0.node == nil }
    guard confinement.takesRunOptions, let device, let node = device.node,
      let own = others.first(where: device.isOfSameDevice), let outside = own.systemNode
    else { return [] }
    let start = Remedy(
      "Start the container with \(outside), the \(kind.name)'s own node, as \(node)",
      options: [ContainerOptions.deviceOption(node, outside: outside, "rw")], actor: .packager,
      takesEffect: "when the container is recreated", until: .renumbering,
      assumes: "the container's user has permission to use the node")
    guard device.systemNode != node, let index = own.index else { return [start] }
    let rule = Remedy(
      "On the host, add this condition to the udev rule that makes the link \(node)",
      options: [#"ATTR{index}=="\#(index)""#], actor: .administrator,
      takesEffect: "when the device is replugged and the container is started again",
      assumes: "a udev rule makes that link on the host")
    return [rule, start]
  }

  /// Returns the remedy to use another node, through a stable link if there is one.
  private func use(
    of other: DeviceFacts, _ what: String, withoutLinkUntil end: Remedy.End = .never
  ) -> [Remedy] {
    guard let node = other.node else { return [] }
    let link = other.links.filter(Self.isLasting).min()
    return [
      Remedy(
        link.map { "Use \($0), the stable link to \(node), \(what)" } ?? "Use \(node), \(what)",
        actor: .user, until: link == nil ? end : .never,
        assumes: "the user has permission to use \(node)")
    ]
  }

  func loopbackRemedies() -> [Remedy] {
    // A program that has the node open without reading from it may be the one that feeds it.
    let feeders = assessment.otherHolders.filter { holder in
      assessment.use?.direction(of: holder) != .views && !holder.process.isMediaServer
    }
    let feed =
      HolderWords(feeders).text.map { feeder in
        Remedy(
          "Have \(feeder), which has it open, send pictures, or restart that program",
          actor: .user, assumes: "it is the program that feeds the virtual camera")
      }
      ?? Remedy(
        "Start the program that feeds the virtual camera", actor: .user,
        assumes: "that program writes to this node")
    // A node that only accepts pictures has exclusive_caps, and shows as a camera once it is fed.
    let isLeftOut = programOfChromium != nil && device?.isLoopbackWithOutput == true
    guard device?.isUnfedLoopback == true || isLeftOut else { return [feed] }
    // A node that `keep_format` keeps as a camera already has exclusive_caps.
    guard device?.isKept != true else { return [feed] }
    let (options, hasNames) = LoopbackOptions.exclusive(facts.devices)
    return (isLeftOut ? [] : [feed]) + [
      Remedy(
        "Load v4l2loopback so that its device shows as a camera only while a program feeds it",
        commands: [
          "echo 'options v4l2loopback \(options)' > /etc/modprobe.d/devaccess-v4l2loopback.conf",
          "modprobe -r v4l2loopback", "modprobe v4l2loopback",
        ],
        actor: .administrator, takesEffect: "after the module is reloaded",
        assumes: "no program uses one of its nodes",
        caution: hasNames
          ? nil : "no program looks for one of these nodes by its name, which changes")
    ]
  }

  // MARK: - Companions

  /// Returns the cause for a container without the media controllers that sysfs shows.
  func missingControllerCause() -> Cause? {
    guard let container = confinement.container, let hardware = facts.hardware else { return nil }
    return Cause(
      .auxNode,
      summary: """
        The machine has \(hardware.pipelineControllers.listed()), but the \(container) container \
        was started without \(hardware.pipelineControllers.count > 1 ? "them" : "it").
        """, at: path, isProven: false)
  }

  private func controllerRemedies() -> [Remedy] {
    guard let hardware = facts.hardware, let container = confinement.container else { return [] }
    let start = ContainerOptions(assessment: assessment, names: names)
    let paths = hardware.pipelineControllers
    guard !paths.isEmpty else { return [] }
    return [
      Remedy(
        "Start the \(container) container with \(paths.listed()) as well",
        options: confinement.takesRunOptions
          ? paths.map { ContainerOptions.deviceOption($0, outside: $0, start.letters) } : [],
        actor: .packager, takesEffect: "when the container is recreated",
        assumes: "the container's user has permission to use them")
    ]
  }

  /// Returns the cause for a node that programs need in addition to a camera.
  func companionCause() -> Cause? {
    guard facts.kind == nil, assessment.conclusion != .granted, let programs = companionUsers else {
      return nil
    }
    return Cause(
      .auxNode,
      summary: """
        \(path) is a companion node: \(programs) need it in addition to the camera, and report "no \
        cameras" without it.
        """, at: path, isProven: false)
  }

  /// The programs that open the node in addition to a camera; `nil` if it is not a companion node.
  private var companionUsers: String? {
    if path == "/dev/vchiq" { return "programs that use the Raspberry Pi's firmware for cameras" }
    let isCompanion = ["/dev/media", "/dev/dma_heap/", "/dev/udmabuf", "/dev/v4l-subdev"]
      .contains { path.hasPrefix($0) }
    return isCompanion ? "camera programs that use libcamera" : nil
  }
}

extension DeviceFacts {
  /// Returns whether two nodes belong to the same device.
  ///
  /// The nodes of one device have the same parent directory in sysfs. Examples are the picture and
  /// metadata nodes of a webcam, or the two directions of a sound card.
  fileprivate func isOfSameDevice(_ other: DeviceFacts) -> Bool {
    // Virtual cameras have no parent device. They are all in the directory of their class.
    guard !isBelow("/devices/virtual/\(subsystem)/\(kernelName)") else { return false }
    return sysfsPath.split(separator: "/").dropLast()
      == other.sysfsPath.split(separator: "/").dropLast()
  }
}

extension DeviceFacts {
  /// A Boolean value that indicates whether the device is on an I²C bus, which controls sensors and
  /// lenses.
  fileprivate var isOnControlBus: Bool { bus == "i2c" || isBelow("/i2c-") }
}

extension HardwareFacts {
  /// The paths of the camera pipelines' media controllers that sysfs shows.
  var pipelineControllers: [String] {
    media.filter(\.isPipeline).prefix(8).map { "/dev/\($0.kernelName)" }
  }
}

extension HardwareFacts.MediaDevice {
  /// A Boolean value that indicates whether this is the pipeline of a camera sensor or image
  /// processor.
  ///
  /// The value is `false` for the controller of a webcam or a codec.
  fileprivate var isPipeline: Bool {
    VideoDriver(named: driver ?? "") == .pipeline || VideoDriver(named: model ?? "") == .pipeline
  }
}

extension CauseFinder {
  /// Why nothing is at the path.
  func absenceCauses() -> [Cause] {
    if let hidden = hiddenByProtection() { return [hidden] }
    if isAlbum { return albumAbsence() }
    if let gone = goneCause() { return [gone] + hardwareCauses() }
    if let device = judgement.device, device.node != nil, !isOfUnit || unitWithOwnDev == nil {
      return [hiddenCause(device)]
    }
    let missing = judgement.decision.at ?? path
    if let unit = unitWithOwnDev {
      return [
        Cause(
          .unitPrivateDevices,
          summary: "\(path) does not exist here: \(unit) has its own /dev.", at: missing,
          isProven: isOfUnit), Cause(.nodeAbsent, summary: absentSummary, at: missing),
      ]
    }
    if let album = otherAlbum { return [album] }
    if let module = unloadedModule {
      return [module, Cause(.nodeAbsent, summary: absentSummary, at: missing)]
    }
    if facts.kind == nil, let device = renumbered() {
      return [
        Cause(
          .nodeRenumbered,
          summary: """
            \(path) does not exist; \(device.node ?? device.kernelName) does, as after a replug. \
            Links below /dev/v4l/by-id stay the same.
            """, at: missing, isProven: false)
      ]
    }
    if confinement.container == "flatpak", facts.kind == nil, !path.hasPrefix("/dev/") {
      return [
        Cause(
          .flatpakFilesystem,
          summary: """
            \(path) does not exist in this flatpak, which sees only what it was \
            given\(confinement.application.map { ": \($0.filesystemWords)" } ?? "").
            """, at: missing, isProven: false),
        Cause(.nodeAbsent, summary: absentSummary, at: missing),
      ]
    }
    let absent = Cause(.nodeAbsent, summary: absentSummary, at: missing)
    guard let container = confinement.container, path.hasPrefix("/dev/") else {
      return hardwareCauses() + [absent]
    }
    let hardware = hardwareCauses()
    // Without a driver the host has no node either that the container could be given.
    if hardware.contains(where: \.isProven) { return hardware + [absent] }
    return hardware + [
      absent,
      Cause(
        .nodeHidden, summary: "The \(container) container may have been started without it.",
        at: missing, isProven: false),
    ]
  }

  /// The service whose `PrivateDevices=` put a tmpfs in the place of `/dev`; elsewhere that is a
  /// devtmpfs.
  private var unitWithOwnDev: String? {
    // Of a unit that is to be started it is known what it hides: what is there outside.
    guard isOfUnit ? judgement.device != nil : confinement.container == nil,
      path.hasPrefix("/dev/"),
      judgement.access.mounts.last(where: { $0.at == "/dev" })?.fstype == "tmpfs"
    else { return nil }
    return confinement.serviceUnit
  }

  /// What lies below a directory that the unit in question has emptied.
  private func hiddenByProtection() -> Cause? {
    guard isOfUnit, let unit = confinement.unit,
      let cover = judgement.access.mounts.last(where: {
        $0.isCover && place.hasPrefix($0.at + "/")
      })
    else { return nil }
    let isHome = ["/home", "/root", "/run/user"].contains(cover.at)
    return Cause(
      isHome ? .unitProtectHome : .unitInaccessiblePath,
      summary: """
        \(isHome ? "ProtectHome=" : "InaccessiblePaths=") of \(unit) hides what is in \(cover.at).
        """, at: place)
  }

  private var absentSummary: String {
    facts.kind.map { "This machine shows no \($0): there is no device node for one." }
      ?? (place == path
        ? "\(path) does not exist." : "\(path) leads nowhere: \(place) does not exist.")
  }

  private func albumAbsence() -> [Cause] {
    let problem = facts.album?.problem.map { " (\($0))" } ?? ""
    let album = facts.album?.path ?? path
    var causes = [
      Cause(
        .albumDirectoryMissing,
        summary: facts.album?.path == nil
          ? "No home directory is known, so there is no pictures directory\(problem)."
          : "The pictures directory \(album) does not exist\(problem).", at: album)
    ]
    if confinement.container == "flatpak" {
      causes.append(
        Cause(
          .flatpakFilesystem, summary: "The flatpak may lack the permission for xdg-pictures.",
          at: path, isProven: false))
    }
    return causes
  }

  /// A path in the directory that holds pictures in an English locale, where another one does.
  private var otherAlbum: Cause? {
    guard facts.kind == nil, let album = facts.album?.path, let home = facts.account.home,
      album != place, place == (home == "/" ? "" : home) + "/Pictures"
    else { return nil }
    let source =
      switch facts.album?.source {
      case .environment: "XDG_PICTURES_DIR"
      case .userDirectories: "user-dirs.dirs"
      default: "the account"
      }
    return Cause(
      .albumDirectoryMissing,
      summary: """
        \(place) does not exist: \(source) names \(album) as the pictures directory.
        """, at: place)
  }

  /// The module that makes the node, installed and not loaded.
  private var unloadedModule: Cause? {
    guard facts.kind == nil, let module = facts.hardware?.module(ofNode: path), !module.isLoaded,
      module.isInstalled
    else { return nil }
    let why = module.isBlacklisted ? "is kept from loading by modprobe.d" : "is not loaded"
    return Cause(
      .nodeAbsentNoDriver,
      summary: "\(path) does not exist: its driver, the module \(module.name), \(why).",
      at: path, isProven: false)
  }

  /// Who hides the node of a device that udev knows.
  private func hiddenCause(_ device: DeviceFacts) -> Cause {
    let node = device.node ?? path
    let known = "udev knows \(device.kernelName), and \(node) does not exist here"
    switch confinement.container {
    case "flatpak":
      return Cause(
        .flatpakDevice,
        summary: """
          \(known): the flatpak was \
          \(confinement.application.map { "given \($0.deviceWords)" } ?? "not given devices").
          """, at: node, isProven: false)
    case "snap": return snapCause(at: node)
    case "firejail", "bubblewrap":
      return Cause(
        .sandboxPrivateDev, summary: "\(known): the sandbox has its own /dev.", at: node,
        isProven: false)
    case let container?:
      return Cause(
        .nodeHidden, summary: "\(known): the \(container) container was started without it.",
        at: node, isProven: false)
    case nil:
      if let unit = confinement.serviceUnit {
        return Cause(
          .unitPrivateDevices, summary: "\(known): \(unit) has its own /dev.", at: node,
          isProven: isOfUnit)
      }
      return Cause(
        .nodeHidden, summary: "\(known): the process has a different /dev.", at: node,
        isProven: false)
    }
  }

  /// Another node of the kind that the missing path looks like one of.
  private func renumbered() -> DeviceFacts? {
    guard path.hasPrefix("/dev/") else { return nil }
    let name = path.dropFirst(5)
    let stem = name.prefix { !$0.isNumber }
    guard !stem.isEmpty, stem.count < name.count else { return nil }
    guard
      let kind = DeviceKind.all.first(where: { $0.namePrefixes.contains(String(stem)) })
    else { return nil }
    return kind.candidates(in: facts.devices).first { $0.node != path }
  }

  /// Causes that lie in what the node is, whatever its permissions.
  func nodeCauses() -> [Cause] {
    guard judgement.verdict != .absent else { return [] }
    var causes: [Cause] = []
    if facts.kind == nil, let wrong = judgement.device.flatMap(wrongNodeCause) {
      causes.append(wrong)
    }
    if let device = judgement.device, device.isPrivate == true {
      causes.append(
        Cause(
          .hardwareOff,
          summary: "The privacy control of \(path) is on: its pictures are blank.", at: path))
    }
    if facts.kind != nil, let device = judgement.device, device.isUnfedLoopback {
      causes.append(
        Cause(
          .loopbackCaps,
          summary: """
            \(path) is a virtual camera that also takes pictures: it delivers them only while a \
            program feeds it.
            """, at: path, isProven: false))
    }
    if facts.kind == nil, judgement.verdict != .granted, let programs = companionUsers {
      causes.append(
        Cause(
          .auxNode,
          summary: """
            \(path) is a companion node: \(programs) need it beside the camera, and report \
            "no cameras" without it.
            """, at: path, isProven: false))
    }
    return causes
  }

  /// Which programs open the node beside a camera; `nil` for a node that is no companion.
  private var companionUsers: String? {
    if path == "/dev/vchiq" { return "programs that use the Raspberry Pi's firmware for cameras" }
    let isCompanion = ["/dev/media", "/dev/dma_heap/", "/dev/udmabuf", "/dev/v4l-subdev"]
      .contains { path.hasPrefix($0) }
    return isCompanion ? "camera programs that use libcamera" : nil
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
          """, at: node, isProven: false)
    default:
      return Cause(
        .wrongNodeMetadata,
        summary: "\(node) delivers no pictures: it is \(device.role.noun).", at: node,
        isProven: isSure)
    }
  }
}

extension DeviceFacts {
  /// Whether a virtual camera says that it captures and takes pictures at once, as one does that
  /// was loaded without `exclusive_caps`: its capturing then means nothing.
  var isUnfedLoopback: Bool {
    guard VideoDriver(of: self) == .loopback, role == .capture else { return false }
    if let driverCapabilities {
      return VideoCapabilities(rawValue: driverCapabilities).containsAny(.output)
    }
    return properties["ID_V4L_CAPABILITIES"]?.contains(":video_output:") ?? false
  }
}

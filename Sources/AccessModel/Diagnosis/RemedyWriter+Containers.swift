/// Remedies for containers and sandboxes.
extension RemedyWriter {
  /// The number that stands for every group without one in a namespace; no process can join it.
  static var overflowID: UInt32 { 65534 }

  /// Whether the container takes the options of docker-run(1) and podman-run(1).
  private var takesRunOptions: Bool {
    ["docker", "podman", "containerd", "oci"].contains(confinement.container)
  }

  /// Hands the device to the container in the words of the engine in use.
  func passDevice(_ path: String) -> Remedy {
    let node = judgement.access.object(at: path)
    let isThere = node?.type.isDevice ?? false
    var remedy = Remedy(
      "Start the container with the device", actor: .packager,
      changes: isThere ? [.lift(.deviceProgram)] : [], takesEffect: "in a new container",
      lasts: device?.bus == "usb" ? "until the device is plugged in again" : nil,
      assumes: isThere ? nil : "the node's owner and mode let the user of the container in")
    let letter = node?.type == .blockDevice ? "b" : "c"
    switch confinement.container {
    case _ where takesRunOptions && path.hasPrefix("/dev/bus/usb/"):
      // The number of a USB node changes whenever it is plugged in.
      remedy.title = "Start the container with the USB bus"
      remedy.steps[0].options = [
        "--volume=/dev/bus/usb:/dev/bus/usb", "--device-cgroup-rule='c 189:* rw'",
      ]
      remedy.scope = "every USB device whose node lets the user of the container in"
      remedy.lasts = nil
    case _ where takesRunOptions:
      guard !path.contains(":"), !path.contains(",") else { break }
      remedy.steps[0].options = ["--device=\(path.shellQuoted)"]
    case "systemd-nspawn":
      guard path.isConfigurationWord else { break }
      remedy.steps[0].options = [
        "--bind=\(path)", "--property=DeviceAllow='\(path) \(wanted.letters)'",
      ]
    case "lxc":
      guard path.isConfigurationWord, let number = node?.rdev ?? device?.number else { break }
      remedy.title = "Put these lines into the container's configuration"
      remedy.steps[0].options = [
        "lxc.cgroup2.devices.allow = \(letter) \(number.major):\(number.minor) \(wanted.letters)",
        "lxc.mount.entry = \(path) \(path.dropFirst()) none bind,optional,create=file",
      ]
    case "kubernetes":
      remedy.title = "Give the pod the device through a device plugin of its node"
      remedy.steps[0].changes = []
      remedy.takesEffect = "in a new pod"
      remedy.lasts = nil
      remedy.assumes = "a device plugin on the cluster's node offers the device"
    default: break
    }
    return remedy
  }

  /// Keeps the groups of whoever starts a container, which podman(1) alone can do.
  func keepGroups() -> [Remedy] {
    guard confinement.container == nil || confinement.container == "podman" else { return [] }
    return [
      Remedy(
        "Start the container with the groups of the user (podman does so with crun)",
        options: ["--group-add=keep-groups"], actor: .packager,
        takesEffect: "in a new container",
        assumes: "the user who starts it is in the group of the node on the host")
    ]
  }

  func containerRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    let path = path.hasPrefix("/dev/") ? path : device?.node ?? path
    guard let node, judgement.verdict != .absent else { return [passDevice(path)] }
    if let device, let number = device.number, let rdev = node.rdev, number != rdev {
      return [
        passDevice(path),
        Remedy(
          "Show the container the whole /dev, and allow it the device's class",
          options: ["-v /dev:/dev", "--device-cgroup-rule='c \(number.major):* rw'"]
            .filter { _ in takesRunOptions }, actor: .packager,
          scope: "every device with major number \(number.major)",
          takesEffect: "in a new container",
          assumes: "the node's owner and mode let the user of the container in"),
      ]
    }
    guard node.gid != 0, node.gid != Self.overflowID,
      node.owningGroupPermissions.isSuperset(of: wanted), takesRunOptions,
      subject.userNamespace.map({ $0.groups.inside(node.gid) != nil }) ?? true
    else { return subject.userNamespace == nil ? [] : keepGroups() }
    let inside = subject.userNamespace?.groups.inside(node.gid) ?? node.gid
    return [
      Remedy(
        "Start the container's user with the group number of the node",
        options: ["--group-add=\(inside)"], actor: .packager,
        changes: [.addGroups([node.gid], isPrimary: false)],
        scope: "everything else that \(names.group(node.gid)) may use in the container",
        takesEffect: "in a new container")
    ]
  }

  func namespaceRemedies(_ node: Node?, _ path: String) -> [Remedy] {
    if judgement.decision.rule == .inodeUnmappedID {
      return [
        Remedy(
          "Mount it with an ID map that covers the owner and the group", actor: .administrator,
          assumes: "its mode and access list let the user in")
      ]
    }
    guard let node, node.owningGroupPermissions.isSuperset(of: wanted),
      subject.userNamespace != nil, confinement.container != nil
    else { return [] }
    return keepGroups()
  }

  func cgroupRemedies(_ path: String) -> [Remedy] {
    guard let container = confinement.container, container != "snap",
      facts.origin?.kind != .unit
    else { return [] }
    return [passDevice(judgement.access.object(at: path)?.path ?? path)]
  }

  func snapRemedies() -> [Remedy] {
    guard let name = confinement.snapName,
      let interface = SnapInterface.name(for: device, at: judgement.access.request.path)
    else { return [] }
    return [
      Remedy(
        "Connect the snap's \(interface) plug", commands: ["snap connect \(name):\(interface)"],
        actor: .administrator, scope: "everything else that \(interface) gives",
        takesEffect: "when the snap is started again",
        assumes: "the snap has a plug called \(interface)")
    ]
  }

  func flatpakRemedies(_ code: CauseCode, _ path: String) -> [Remedy] {
    guard let application = confinement.flatpakApplication else { return [] }
    let override = "flatpak override --user"
    if code == .flatpakFilesystem {
      let place =
        facts.kind == DeviceKind.album.name ? "xdg-pictures" : judgement.access.request.path
      return [
        Remedy(
          "Give the flatpak the directory",
          commands: [
            "\(override) --filesystem=\(place.shellQuoted) \(application.shellQuoted)"
          ], actor: .user, takesEffect: "when the application is started again",
          assumes: "the directory exists outside and its own permissions let the user in")
      ]
    }
    var remedies: [Remedy] = []
    if facts.kind == DeviceKind.camera.name || device?.role == .capture {
      remedies.append(
        Remedy(
          "Use the camera portal, which asks and gives access only to the camera", actor: .packager,
          assumes: "the user says yes when the portal asks"))
    }
    return remedies + [
      Remedy(
        "Give the flatpak all devices",
        commands: ["\(override) --device=all \(application.shellQuoted)"],
        actor: .user, scope: "every device node that its user may open",
        takesEffect: "when the application is started again",
        assumes: "the node's own permissions let the user in")
    ]
  }

  func sandboxRemedies(_ path: String) -> [Remedy] {
    if confinement.container == "bubblewrap" {
      return [
        Remedy(
          "Bind the node into the sandbox",
          options: ["--dev-bind \(path.shellQuoted) \(path.shellQuoted)"], actor: .packager,
          takesEffect: "when the program is started again",
          assumes: "the node's own permissions let the user in")
      ]
    }
    return [
      Remedy(
        "Remove private-dev and novideo from the sandbox profile",
        options: ["--ignore=private-dev --ignore=novideo"], actor: .packager,
        scope: "every device node that its user may open",
        takesEffect: "when the program is started again",
        assumes: "the node's own permissions let the user in")
    ]
  }
}

/// What a sandbox or a container hides of udev, though it shows the device.
extension SandboxesLayer {
  /// The subsystems whose devices programs look for with libudev, and choose by its properties.
  private static let listed: Set<String> = [
    "video4linux", "sound", "input", "hidraw", "usb", "media",
  ]

  /// Whether programs look for the device with libudev.
  private func isListed(_ device: DeviceFacts) -> Bool {
    switch device.subsystem {
    // Drivers of graphics open the render nodes that sysfs shows.
    case DeviceKind.gpu.subsystem: device.role != .render
    // Browsers and desktop programs do; services are given the path of the port.
    case DeviceKind.serial.subsystem: confinement.isSandbox
    default: Self.listed.contains(device.subsystem)
    }
  }

  /// That programs which list devices find none, though this one may be opened.
  func databaseCause() -> Cause? {
    guard assessment.verdict == .granted, confinement.hasUdevDatabase == false,
      let container = confinement.container, let device, let node = device.node,
      isListed(device)
    else { return nil }
    if hearsNoEvents, device.subsystem == DeviceKind.usb.subsystem {
      return Cause(
        .udevDatabaseHidden,
        summary: """
          \(node) may be used, but udev's events do not come into this \(Self.noun(container)): they \
          are sent through netlink to the host's network namespace, and libudev listens only where \
          /run/udev exists. Programs that wait for devices with libusb or libudev see none come or go.
          """, at: node, isProven: false)
    }
    return Cause(
      .udevDatabaseHidden,
      summary: """
        \(node) may be used, but /run/udev does not exist in this \(Self.noun(container)): programs \
        that look for devices with libudev find no properties and tags, and pass over it. Its events \
        come through netlink, and only into the host's network namespace.
        """, at: node, isProven: false)
  }

  /// Whether the container has a network namespace of its own, as those of engines have: udev's events
  /// do not come there.
  private var hearsNoEvents: Bool {
    confinement.container == "kubernetes"
      || ContainerStart(assessment: assessment, names: names).takesRunOptions
  }

  private static func noun(_ container: String) -> String {
    switch container {
    case "bubblewrap", "firejail": "sandbox"
    case "flatpak", "snap": container
    default: "\(container) container"
    }
  }

  /// Shows udev's database, which everybody may read, and nothing else.
  func databaseRemedies() -> [Remedy] {
    if confinement.container == "kubernetes" {
      return [
        Remedy(
          "Give the pod the network of its node, into which udev's events come, and /run/udev as a hostPath",
          options: ["hostNetwork: true"], actor: .packager,
          scope: "the network of the node, its local services among it",
          takesEffect: "in a new pod",
          assumes: "udev runs on the node")
      ]
    }
    if hearsNoEvents {
      return [
        Remedy(
          """
          Let udev's events into the container, with its database for reading (which alone is enough \
          for programs that do not wait for devices)
          """, options: ["--volume=/run/udev:/run/udev:ro", "--network=host"], actor: .packager,
          scope: "the network of the host, its local services among it",
          takesEffect: "in a new container", assumes: "udev runs outside")
      ]
    }
    var remedy = Remedy(
      "Show udev's database there, for reading", actor: .packager,
      takesEffect: "when the program is started again",
      assumes: """
        udev runs outside, and the program does not wait for devices that are plugged in later, \
        which only the host's network namespace hears of
        """)
    switch confinement.container {
    case "bubblewrap": remedy.steps[0].options = ["--ro-bind /run/udev /run/udev"]
    case "systemd-nspawn":
      remedy.steps[0].options = ["--bind-ro=/run/udev"]
      remedy.takesEffect = "in a new container"
    case "lxc": return [systemRemedy(remedy)]
    case "flatpak":
      // --device=all shows /dev alone.
      guard let application = confinement.flatpakApplication else { return [] }
      remedy.steps[0] = Remedy.Step(
        .user,
        commands: [
          "flatpak override --user --filesystem=/run/udev:ro \(application.shellQuoted)"
        ])
      remedy.takesEffect = "when the application is started again"
    default: return []
    }
    return [remedy]
  }

  /// The same in the words of the manager of a system container.
  private func systemRemedy(_ remedy: Remedy) -> Remedy {
    var remedy = remedy
    remedy.takesEffect = "when the container is started again"
    switch ContainerManager(of: facts) {
    case .lxd: return disk(remedy, "lxc")
    case .incus: return disk(remedy, "incus")
    case .proxmox, .lxc, nil:
      // Proxmox's own file has a colon where that of LXC has a sign.
      let sign = ContainerManager(of: facts) == .proxmox ? ":" : " ="
      remedy.title = "Put this line into the container's configuration"
      remedy.steps[0].options = [
        "lxc.mount.entry\(sign) /run/udev run/udev none bind,ro,create=dir"
      ]
    }
    return remedy
  }

  private func disk(_ remedy: Remedy, _ command: String) -> Remedy {
    var remedy = remedy
    remedy.steps[0] = Remedy.Step(
      .administrator,
      commands: [
        "\(command) config device add NAME udev disk source=/run/udev path=/run/udev readonly=true"
      ])
    remedy.assumes =
      "NAME stands for the container's name" + (remedy.assumes.map { ", \($0)" } ?? "")
    return remedy
  }
}

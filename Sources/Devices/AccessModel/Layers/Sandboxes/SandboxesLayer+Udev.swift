/// The udev features that a sandbox or container hides even if it shows the device.
extension SandboxesLayer {
  /// The subsystems whose devices programs enumerate with libudev and select by udev properties.
  private static let listed: Set<String> = [
    "video4linux", "sound", "input", "hidraw", "usb", "media",
  ]

  /// Returns whether programs usually find the device with libudev.
  private func isListed(_ device: DeviceFacts) -> Bool {
    switch device.subsystem {
    // Graphics drivers find render nodes through sysfs.
    case DeviceKind.gpu.subsystem: device.role != .render
    // Browsers and desktop programs use libudev, while services are configured with the path of the
    // port.
    case DeviceKind.serial.subsystem: confinement.isSandbox
    default: Self.listed.contains(device.subsystem)
    }
  }

  /// Returns the cause for a device that programs can open but do not find with libudev.
  func databaseCause() -> Cause? {
    guard assessment.conclusion == .granted, confinement.hasUdevDatabase == false,
      let container = confinement.container, let device, let node = device.node,
      isListed(device)
    else { return nil }
    if hearsNoEvents, device.subsystem == DeviceKind.usb.subsystem {
      let condition =
        assessment.access.mount(of: "/dev")?.fstype == "devtmpfs"
        ? "" : ", and libudev listens only if /run/udev exists"
      return Cause(
        .udevDatabaseHidden,
        summary: """
          Access to \(node) is allowed, but udev's events do not reach this \
          \(Self.noun(container)), because they are sent only in the host's network \
          namespace\(condition). Programs that use libusb or libudev to wait for devices do not \
          notice new ones.
          """, at: node, isProven: false)
    }
    return Cause(
      .udevDatabaseHidden,
      summary: """
        Access to \(node) is allowed, but /run/udev does not exist in this \
        \(Self.noun(container)): programs that use libudev to find devices see no properties or \
        tags of this device, and may skip it. udev's events do not reach the \
        \(Self.noun(container)) either, unless it shares the host's network namespace.
        """, at: node, isProven: false)
  }

  /// A Boolean value that indicates whether udev's events usually do not reach the container.
  ///
  /// By default, container engines create a network namespace, in which the events are not
  /// received.
  private var hearsNoEvents: Bool {
    confinement.container == "kubernetes"
      || confinement.takesRunOptions
  }

  private static func noun(_ container: String) -> String {
    switch container {
    case "bubblewrap", "firejail": "sandbox"
    case "flatpak", "snap": container
    default: "\(container) container"
    }
  }

  /// Returns the remedies that make udev's database, which all users may read, visible in the
  /// container.
  ///
  /// For container engines, the remedies also make udev's events reach the container.
  func databaseRemedies() -> [Remedy] {
    if confinement.container == "kubernetes" {
      return [
        Remedy(
          """
          Run the pod in its node's network (hostNetwork, for udev's events), and mount \
          /run/udev as a hostPath volume
          """,
          options: ["hostNetwork: true"], actor: .packager,
          scope: "access to the Kubernetes node's network, including its local services",
          takesEffect: confinement.recreation,
          assumes: "udev is running on the Kubernetes node")
      ]
    }
    if hearsNoEvents {
      let database = "--volume=/run/udev:/run/udev:ro"
      // libudev ignores events whose sender is neither root nor unmapped (`check_sender_uid`), so in
      // such a namespace the host's network does not help.
      if let map = subject.userNamespace, map.users.inside(0) == nil {
        return [
          Remedy(
            "Start the container with udev's database, read-only", options: [database],
            actor: .packager, takesEffect: confinement.recreation,
            assumes: Remedy.both(
              "udev is running on the host",
              "the program does not wait for devices that are plugged in later"))
        ]
      }
      return [
        Remedy(
          """
          Start the container in the host's network (for udev's events), with udev's database \
          read-only; programs that do not wait for devices need only the database
          """, options: [database, "--network=host"], actor: .packager,
          scope: "access to the host's network, including its local services",
          takesEffect: confinement.recreation, assumes: "udev is running on the host")
      ]
    }
    var remedy = Remedy(
      "Give the \(Self.noun(confinement.container ?? "container")) read-only access to udev's database (/run/udev)",
      actor: .packager,
      takesEffect: "when the program is restarted",
      assumes: Remedy.both(
        "udev is running on the host",
        """
        the program does not wait for devices that are plugged in later: udev's events stay in the \
        host's network namespace
        """))
    switch confinement.container {
    case "bubblewrap": remedy.steps[0].options = ["--ro-bind /run/udev /run/udev"]
    case "systemd-nspawn":
      remedy.steps[0].options = ["--bind-ro=/run/udev"]
      remedy.takesEffect = confinement.recreation
    case "lxc": return [systemRemedy(remedy)]
    case "flatpak":
      // `--device=all` shows only `/dev`.
      guard let application = confinement.flatpakApplication else { return [] }
      remedy.steps[0] = Remedy.Step(
        .user,
        commands: [
          "flatpak override --user --filesystem=/run/udev:ro \(application.shellQuoted)"
        ])
      remedy.takesEffect = "when the application is restarted"
    default: return []
    }
    return [remedy]
  }

  /// Returns the remedy, adapted to the manager of a system container.
  private func systemRemedy(_ remedy: Remedy) -> Remedy {
    var remedy = remedy
    remedy.takesEffect = "when the container is restarted"
    switch ContainerManager(of: facts) {
    case .lxd: return disk(remedy, "lxc")
    case .incus: return disk(remedy, "incus")
    case .proxmox, .lxc, nil:
      // The Proxmox configuration has a colon where the LXC format has an equals sign.
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
    remedy.title += "; replace NAME with the container's name"
    return remedy
  }
}

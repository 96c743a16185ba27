/// What a sandbox or a container hides of udev, though it shows the device.
extension SandboxesLayer {
  /// The subsystems whose devices programs look for with libudev, and choose by its properties.
  private static let listed: Set<String> = [
    "video4linux", "sound", "drm", "input", "hidraw", "usb", "media",
  ]

  /// That programs which list devices find none, though this one may be opened.
  func databaseCause() -> Cause? {
    guard assessment.verdict == .granted, confinement.hasUdevDatabase == false,
      let container = confinement.container, let device, let node = device.node,
      Self.listed.contains(device.subsystem)
    else { return nil }
    return Cause(
      .udevDatabaseHidden,
      summary: """
        \(node) may be used, but /run/udev does not exist in this \(Self.noun(container)): programs \
        that look for devices with libudev find no properties and tags, and pass over it.
        """, at: node, isProven: false)
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
    var remedy = Remedy(
      "Show udev's database there, for reading", actor: .packager,
      takesEffect: "when the program is started again",
      assumes: """
        udev runs outside, and the program does not wait for devices that are plugged in later, \
        which only the host's network namespace hears of
        """)
    switch confinement.container {
    case "bubblewrap": remedy.steps[0].options = ["--ro-bind /run/udev /run/udev"]
    case "docker", "podman", "containerd", "oci":
      remedy.steps[0].options = ["--volume=/run/udev:/run/udev:ro"]
      remedy.takesEffect = "in a new container"
    case "systemd-nspawn":
      remedy.steps[0].options = ["--bind-ro=/run/udev"]
      remedy.takesEffect = "in a new container"
    case "lxc":
      remedy.title = "Put this line into the container's configuration"
      remedy.steps[0].options = [
        "lxc.mount.entry = /run/udev run/udev none bind,ro,create=dir"
      ]
      remedy.takesEffect = "in a new container"
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
}

/// What whoever starts a container can give it, in the words of the engine in use.
struct ContainerStart: AssessmentReader {
  let assessment: Assessment
  let names: Names

  /// Whether the container takes the options of docker-run(1) and podman-run(1).
  var takesRunOptions: Bool {
    ["docker", "podman", "containerd", "oci"].contains(confinement.container)
  }

  /// Hands the device to the container in the words of the engine in use.
  func passDevice(_ path: String) -> Remedy {
    let node = assessment.access.object(at: path)
    let isThere = node?.type.isDevice ?? false
    var remedy = Remedy(
      "Start the container with the device", actor: .packager,
      changes: isThere ? [.lift(.deviceProgram)] : [], takesEffect: "in a new container",
      lasts: device?.bus == "usb" ? "until the device is plugged in again" : nil,
      assumes: isThere ? nil : "the node's owner and mode let the user of the container in")
    let type = node?.type == .blockDevice ? "b" : "c"
    let outside = outsidePath(path)
    let pair = outside == path ? path : "\(outside):\(path)"
    switch confinement.container {
    case _ where takesRunOptions && path.hasPrefix("/dev/bus/usb/"):
      // The number of a USB node changes whenever it is plugged in.
      remedy.title = "Start the container with the USB bus"
      remedy.steps[0].options = [
        "--volume=/dev/bus/usb:/dev/bus/usb", "--device-cgroup-rule='c 189:* \(letters)'",
      ]
      remedy.scope = "every USB device whose node lets the user of the container in"
      remedy.lasts = nil
    case _ where takesRunOptions:
      guard !(path + outside).utf8.contains(where: ":,".utf8.contains) else { break }
      remedy.steps[0].options = [Self.deviceOption(path, outside: outside, letters)]
    case "systemd-nspawn":
      guard path.isConfigurationWord, outside.isConfigurationWord else { break }
      remedy.steps[0].options = [
        "--bind=\(pair)".shellQuoted,
        "--property=DeviceAllow=\(outside) \(letters)".shellQuoted,
      ]
    case "lxc":
      guard path.isConfigurationWord, outside.isConfigurationWord,
        let number = node?.rdev ?? device?.number
      else { break }
      remedy.title = "Put these lines into the container's configuration"
      remedy.steps[0].options = [
        "lxc.cgroup2.devices.allow = \(type) \(number.major):\(number.minor) \(letters)",
        "lxc.mount.entry = \(outside) \(path.dropFirst()) none bind,optional,create=file",
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

  /// What the program is to be allowed: nothing beyond what was asked for.
  var letters: String { Self.letters(wanted) }

  /// What a device is asked for, in the letters of a device control group.
  static func letters(_ wanted: Permissions) -> String {
    let wanted = wanted.intersection([.read, .write])
    return wanted.isEmpty ? "rw" : wanted.letters
  }

  /// The option of docker-run(1) and podman-run(1) for one device, which without letters allows to
  /// read, to write and to make the node.
  static func deviceOption(_ path: String, outside: String, _ letters: String) -> String {
    let paths = letters == "rw" && outside == path ? path : "\(outside):\(path)"
    return "--device=\((letters == "rw" ? paths : "\(paths):\(letters)").shellQuoted)"
  }

  /// The path outside of a node: a container may have it by another name.
  func outsidePath(_ path: String) -> String {
    device?.node == path ? device?.systemNode ?? path : path
  }

  /// Keeps the groups of whoever starts a container, which podman(1) alone can do.
  func keepGroups() -> [Remedy] {
    guard confinement.container == nil || confinement.container == "podman" else { return [] }
    return [
      Remedy(
        """
        Start the container with the groups of the user (podman does so with crun; \
        --userns=keep-id alone keeps none)
        """,
        options: ["--group-add=keep-groups"], actor: .packager,
        takesEffect: "in a new container",
        assumes: "the user who starts it is in the group of the node on the host")
    ]
  }

  /// Lets the device pass the list of a container's control group.
  func policyRemedies(_ path: String) -> [Remedy] {
    guard let container = confinement.container, container != "snap",
      facts.origin?.kind != .unit
    else { return [] }
    return [passDevice(assessment.access.object(at: path)?.path ?? path)]
  }
}

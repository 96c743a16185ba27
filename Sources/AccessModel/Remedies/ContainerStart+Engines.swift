/// Nodes that a container needs together, and engines that bind nodes instead of listing devices.
extension ContainerStart {
  // MARK: - Nodes that belong together

  /// Returns the other nodes that a program opens together with this one.
  ///
  /// For `/dev/kfd`, the result includes the directory `/dev/dri` if no render node is known.
  func otherNodes(_ path: String) -> [String] {
    let seen = DriverNodes(assessment: assessment).others(than: path).map(\.path)
      .filter { $0.isConfigurationWord && !$0.utf8.contains(UInt8(ascii: ",")) }
    let hasCards = facts.access.nodes.contains { $0.path.hasPrefix("/dev/dri/renderD") }
    return path == "/dev/kfd" && !hasCards ? seen + ["/dev/dri"] : seen
  }

  /// Returns the remedy and, for an NVIDIA node, one with the toolkit's option for all its nodes.
  func withInterface(_ remedy: Remedy, _ path: String) -> [Remedy] {
    guard NodeCompanions.isNVIDIA(path) else { return [remedy] }
    var remedy = remedy
    let toolkit = Remedy(
      "Start the container with the GPU through CDI, as NVIDIA's toolkit describes it",
      options: ["--device=nvidia.com/gpu=all"], actor: .packager, changes: remedy.changes,
      scope: "access to every NVIDIA GPU", takesEffect: "in a new container",
      assumes: """
        the host has a CDI specification (nvidia-ctk cdi generate), and the engine supports CDI
        """)
    guard DriverNodes(assessment: assessment).areUnseen(at: path) else { return [remedy, toolkit] }
    let others =
      "the container has the driver's other nodes, such as /dev/nvidiactl and /dev/nvidia-uvm"
    remedy.assumes = Remedy.both(remedy.assumes, others)
    return [toolkit, remedy]
  }

  // MARK: - Engines without a list of devices

  /// Returns the remedy that binds the node into an Apptainer container, which has no device list.
  func bindRemedies(
    _ path: String, outside: String, others: [String], isThere: Bool
  ) -> [Remedy] {
    guard !isThere, !(path + outside).utf8.contains(where: ":,".utf8.contains) else { return [] }
    let pairs = [outside == path ? path : "\(outside):\(path)"] + others
    var remedy = Remedy(
      "Start the container with the node bound into it",
      options: ["--bind=\(pairs.joined(separator: ","))".shellQuoted], actor: .packager,
      takesEffect: "when the program is restarted",
      assumes: "the node exists on the host, and the user has permission on it")
    if NodeCompanions.isNVIDIA(path) {
      remedy.title = "Start the container with the nodes and libraries of NVIDIA's driver"
      remedy.steps[0].options = ["--nv"]
      remedy.scope = "access to every NVIDIA GPU"
    }
    return [remedy]
  }

  /// Returns the remedy for an unknown engine, which names the option to find in its documentation.
  func unknownEngineRemedy(
    _ remedy: Remedy, _ path: String, isThere: Bool
  ) -> Remedy {
    var remedy = remedy
    let engine = confinement.container ?? "its engine"
    remedy.title =
      isThere
      ? "Start the container with the option of \(engine) that allows it the device \(path)"
      : "Start the container with the option of \(engine) that binds \(path) into it"
    remedy.steps[0].changes = []
    let option = "\(engine) has such an option"
    remedy.assumes = Remedy.both(option, remedy.assumes)
    return remedy
  }
}

extension ContainerStart {
  // MARK: - Beyond opening

  /// Adds what a container needs to use some devices, beyond opening their nodes.
  ///
  /// Mounting with FUSE or a loop device takes `CAP_SYS_ADMIN` in the container, which is close to
  /// being root of the host and therefore only named. An interface of tun(4) takes `CAP_NET_ADMIN`.
  func addUse(of path: String, to remedy: inout Remedy) {
    if path == "/dev/net/tun", !subject.bounding.contains(.administerNetwork) {
      remedy.title += ", and permission to create a network interface with it"
      remedy.steps[0].options.append("--cap-add=NET_ADMIN")
      let other = "permission to change every setting of the container's network"
      remedy.scope = Remedy.joined(remedy.scope, other, by: ", and ")
      remedy.excess = remedy.scope
    }
    guard path == "/dev/fuse" || path.hasPrefix("/dev/loop"),
      !subject.bounding.contains(.administerSystem)
    else { return }
    // The default profiles of the engines refuse mount(2), even with the capability.
    let isProfiled = confinement.label?.hasSuffix("(enforce)") == true
    let profile = isProfiled ? " and --security-opt=apparmor=unconfined" : ""
    let verb = isProfiled ? "give" : "gives"
    let isOfHost = subject.userNamespace == nil
    let weight = isOfHost ? ", which \(verb) its root nearly the power of root on the host" : ""
    let condition = """
      the program only opens the device; to mount with it, the container also needs \
      --cap-add=SYS_ADMIN\(profile)\(weight)
      """
    remedy.assumes = Remedy.both(remedy.assumes, condition)
  }

  /// Returns the fix that allows devices in the unit of a container of systemd-nspawn.
  ///
  /// `--property=` has no effect if a unit starts the container with `--keep-unit`.
  func allowInUnit(_ lines: [String], _ changes: [FactsChange]) -> Remedy {
    let unit = "systemd-nspawn@NAME.service"
    var remedy = UnitSettings(assessment: assessment, names: names).dropIn(
      unit, lines, named: "devaccess-device",
      title: """
        On the host, allow the device in the unit of the container; replace NAME with the name of the \
        container
        """, changes: changes,
      assumes: "\(unit) runs the container (on NixOS, it is container@NAME.service)")
    remedy.takesEffect = nil
    return remedy
  }
}

extension DeviceNumber {
  /// A Boolean value that indicates whether drivers of different devices share the major number.
  ///
  /// A rule for the whole number would then open unrelated devices. Examples are memory, terminals,
  /// and `misc` of the kernel's `linux/miscdevice.h`.
  var isSharedByDrivers: Bool { [1, 4, 5, 10].contains(major) }

  /// The number of a node that has the same number on every machine; `nil` for other nodes.
  ///
  /// The numbers are those of the kernel's `linux/miscdevice.h`.
  init?(of path: String) {
    let minors: [String: UInt32] = ["/dev/net/tun": 200, "/dev/fuse": 229, "/dev/kvm": 232]
    guard let minor = minors[path] else { return nil }
    self.init(major: 10, minor: minor)
  }
}

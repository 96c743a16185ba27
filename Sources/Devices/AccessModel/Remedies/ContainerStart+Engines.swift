/// Nodes that are needed together, and engines without a device list.
extension ContainerStart {
  // MARK: - Nodes that are needed together

  /// Returns the other nodes that a program opens together with the given one.
  ///
  /// For `/dev/kfd`, the result includes the directory `/dev/dri` if no render node is known.
  func otherNodes(_ path: String) -> [String] {
    let seen = DriverNodes(assessment: assessment).others(than: path).map(\.path)
      .filter { $0.isConfigurationWord && !$0.utf8.contains(UInt8(ascii: ",")) }
    let hasCards = facts.access.nodes.contains { $0.path.hasPrefix("/dev/dri/renderD") }
    return path == "/dev/kfd" && !hasCards ? seen + ["/dev/dri"] : seen
  }

  /// Returns the remedy and, for a node of the NVIDIA driver, a remedy with the option for all its
  /// nodes.
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

  // MARK: - Engines without a device list

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

  /// Returns the remedy for an unknown engine, which describes the option to look up.
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
  // MARK: - Use beyond opening

  /// Extends the remedy by what the container needs to use a device, in addition to opening its
  /// node.
  ///
  /// A tun(4) interface requires `CAP_NET_ADMIN`. Mounting with FUSE or a loop device requires
  /// `CAP_SYS_ADMIN`, which makes the container nearly as powerful as root on the host, so the
  /// remedy only mentions it.
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
    // The engines' default profiles refuse mount(2) even with the capability.
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

  /// Returns the fix that allows devices in the unit of a systemd-nspawn container.
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
  /// A Boolean value that indicates whether unrelated drivers share the major number.
  ///
  /// A rule for the whole major number would also open unrelated devices. Examples are memory,
  /// terminals and the `misc` devices of the kernel's `linux/miscdevice.h`.
  var isSharedByDrivers: Bool { [1, 4, 5, 10].contains(major) }

  /// Creates the number of a node that has a fixed number on every machine; `nil` for other nodes.
  ///
  /// The numbers are from the kernel's `linux/miscdevice.h`.
  init?(of path: String) {
    let minors: [String: UInt32] = ["/dev/net/tun": 200, "/dev/fuse": 229, "/dev/kvm": 232]
    guard let minor = minors[path] else { return nil }
    self.init(major: 10, minor: minor)
  }
}

/// The policies under which engines run containers and virtual machines.
extension PoliciesLayer {
  // MARK: - SELinux and containers

  /// That SELinux keeps the domain of containers from a node of the host.
  ///
  /// A node that the engine makes in a container has the label of the container's files. One that a mount
  /// brings in keeps its label of the host, which that domain may not use (container-selinux).
  func hostNodeCause(_ errno: Errno) -> Cause? {
    guard errno == .permissionDenied, hostNodeCondition != nil,
      let label = confinement.enforcedLabel?.name, let node = hostNode
    else { return nil }
    return Cause(
      .selinux,
      summary: """
        The container has \(node.path) from the host's /dev, and runs as \(label): SELinux does not let \
        this domain use nodes of the host, unless container_use_devices is on.
        """, at: node.path, isProven: false)
  }

  /// What has to hold besides permissions if SELinux keeps the container from a node of the host; `nil`
  /// if it does not.
  var hostNodeCondition: String? {
    guard isOfContainerDomain, assessment.kernelErrno ?? .permissionDenied == .permissionDenied,
      hostNode != nil
    else { return nil }
    return "SELinux on the host lets containers use the node (setsebool -P \(switchOfDevices) on)"
  }

  /// Whether the subject runs in a container, and SELinux in one of the domains for containers.
  private var isOfContainerDomain: Bool {
    isInContainer && confinement.enforcedLabel?.isOfContainers == true
  }

  /// Whether commands that concern the policy have to run somewhere else.
  var isInContainer: Bool { confinement.container != nil && !confinement.isSandbox }

  /// The device's node, if it is the host's and not one of those that every container may use.
  private var hostNode: Node? {
    guard let node = assessment.decidingStep?.node, node.type.isDevice,
      access.mount(of: node.path)?.fstype == "devtmpfs",
      // Graphics cards have a switch of their own, which is on.
      !["/dev/dri", "/dev/fuse", "/dev/tty"].contains(where: node.path.isAtOrBelow),
      ![1, 5, 136, 226].contains(node.rdev?.major)
    else { return nil }
    return node
  }

  /// The boolean of container-selinux that lets containers use the device.
  private var switchOfDevices: String {
    path.hasPrefix("/dev/dri/") ? "container_use_dri_devices" : "container_use_devices"
  }

  /// Lets the container use the node of the host.
  func hostNodeRemedies() -> [Remedy] {
    guard isOfContainerDomain, assessment.object?.type.isDevice ?? (hostNode != nil) else {
      return []
    }
    let isPod = confinement.container == "kubernetes"
    let assumes = "the node's own permissions let the user of the container in"
    let all = Remedy(
      "On the \(isPod ? "cluster's node" : "host"), have SELinux let containers use such devices",
      commands: ["setsebool -P \(switchOfDevices) on"], actor: .administrator,
      scope: "every other container the use of the devices that it is given",
      assumes: "the policy there has that boolean (getsebool \(switchOfDevices)), and \(assumes)")
    let option: String? =
      switch confinement.container {
      case "kubernetes": "securityContext: {seLinuxOptions: {type: spc_t}}"
      case _ where confinement.takesRunOptions: "--security-opt=label=disable"
      default: nil
      }
    let own = option.map {
      Remedy(
        "Start the \(isPod ? "pod" : "container") without SELinux's separation", options: [$0],
        actor: .packager, scope: "what else SELinux keeps from it",
        takesEffect: isPod ? "in a new pod" : "in a new container", assumes: assumes)
    }
    return [all, own].compactMap(\.self)
  }

  // MARK: - AppArmor and virtual machines

  /// Adds the object to what libvirt's profiles of virtual machines allow: it writes the profile of each
  /// machine again at each start.
  func machineRemedies() -> [Remedy]? {
    guard let profile = confinement.enforcedLabel?.name, profile.hasPrefix("libvirt-"),
      path.isPlainForProfile
    else { return nil }
    let file = "/etc/apparmor.d/local/abstractions/libvirt-qemu"
    let letters = wanted.intersection([.read, .write]).letters
    return [
      Remedy(
        "Add a rule for \(path) to the AppArmor profiles of libvirt's virtual machines",
        commands: ["printf '%s\\n' \("\"\(path)\" \(letters),".shellQuoted) >> \(file)"],
        actor: .administrator,
        scope: "the same to every virtual machine of libvirt",
        takesEffect: "when the virtual machine is started again",
        assumes: "/etc/apparmor.d/abstractions/libvirt-qemu includes that file")
    ]
  }
}

extension Remedy {
  /// The same remedy, with another condition.
  func assuming(_ condition: String) -> Remedy {
    var remedy = self
    remedy.assumes = assumes.map { "\($0); \(condition)" } ?? condition
    return remedy
  }
}

extension ConfinementFacts.EnforcedLabel {
  /// Whether it is a domain in which SELinux runs the programs of containers.
  fileprivate var isOfContainers: Bool {
    guard code == .selinux else { return false }
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count > 2
      && ["container_t", "container_init_t", "svirt_lxc_net_t"].contains(parts[2])
  }
}

extension String {
  /// Whether a quoted path in an AppArmor profile means itself.
  fileprivate var isPlainForProfile: Bool {
    hasPrefix("/")
      && utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7F && !"\"\\*?[]{}^,@".utf8.contains(byte)
      }
  }
}

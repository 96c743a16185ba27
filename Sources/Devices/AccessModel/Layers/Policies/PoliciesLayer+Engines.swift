/// Security policies for containers and virtual machines.
extension PoliciesLayer {
  // MARK: - SELinux and containers

  /// Returns the cause if SELinux prevents a container from using a node of the host.
  ///
  /// A node that the engine creates in the container has the label of the container's files. A
  /// bind-mounted node keeps its host label, which the domain of the container is not permitted to
  /// use (container-selinux).
  func hostNodeCause(_ errno: Errno) -> Cause? {
    guard errno == .permissionDenied, hostNodeCondition != nil,
      let label = confinement.enforcedLabel?.name, let node = hostNode
    else { return nil }
    return Cause(
      .selinux,
      summary: """
        The container has \(node.path) from the host's /dev, and runs as \(label): SELinux does not let \
        this domain use the host's device nodes unless the boolean \(switchOfDevices) is on.
        """, at: node.path, isProven: false)
  }

  /// A condition, in addition to permissions, under which SELinux allows the container to use a
  /// host node.
  ///
  /// The value is `nil` if SELinux does not restrict the container's access to the node.
  var hostNodeCondition: String? {
    guard isOfContainerDomain, assessment.kernelErrno ?? .permissionDenied == .permissionDenied,
      hostNode != nil
    else { return nil }
    return "SELinux on the host lets containers use the node (setsebool -P \(switchOfDevices) on)"
  }

  /// A Boolean value that indicates whether the subject runs in a container and in an SELinux
  /// domain for containers.
  private var isOfContainerDomain: Bool {
    isInContainer && confinement.enforcedLabel?.isOfContainers == true
  }

  /// A Boolean value that indicates whether commands for the policy must run outside the container.
  var isInContainer: Bool { confinement.container != nil && !confinement.isSandbox }

  /// The device's node, if it is a host node that containers cannot use by default.
  private var hostNode: Node? {
    guard let node = assessment.decidingStep?.node, node.type.isDevice,
      access.mount(of: node.path)?.fstype == "devtmpfs",
      // Graphics cards have their own boolean, which is on by default.
      !["/dev/dri", "/dev/fuse", "/dev/tty"].contains(where: node.path.isAtOrBelow),
      ![1, 5, 136, 226].contains(node.rdev?.major)
    else { return nil }
    return node
  }

  /// The container-selinux boolean that allows containers to use the device.
  ///
  /// Nodes in `/dev/dri` have their own boolean, and so do nodes of the NVIDIA driver (type
  /// `xserver_misc_device_t`) since Fedora 40.
  private var switchOfDevices: String {
    // Before RHEL 8.10, the policy of RHEL 8 has no boolean for graphics cards.
    if path.hasPrefix("/dev/dri/"), !confinement.hasKernel(before: "4.18.0-553") {
      return "container_use_dri_devices"
    }
    return NodeCompanions.isNVIDIA(path) && confinement.fedoraVersion ?? 40 >= 40
      ? "container_use_xserver_devices" : "container_use_devices"
  }

  /// Returns the remedies that allow the container to use a host node.
  func hostNodeRemedies() -> [Remedy] {
    guard isOfContainerDomain, assessment.object?.type.isDevice ?? (hostNode != nil) else {
      return []
    }
    let isPod = confinement.container == "kubernetes"
    let assumes = "the container's user has permission to use the node"
    let all = Remedy(
      """
      On the \(isPod ? "Kubernetes node" : "host"), set the SELinux boolean that lets containers \
      use such devices
      """,
      commands: ["setsebool -P \(switchOfDevices) on"], actor: .administrator,
      scope: "every other container access to the devices passed to it",
      assumes: Remedy.both(
        "the policy there has that boolean (getsebool \(switchOfDevices))", assumes))
    let option: String? =
      switch confinement.container {
      case "kubernetes": "securityContext: {seLinuxOptions: {type: spc_t}}"
      case _ where confinement.takesRunOptions: "--security-opt=label=disable"
      default: nil
      }
    let own = option.map { option in
      let object = isPod ? "pod" : "container"
      return Remedy(
        "Start the \(object) without SELinux confinement", options: [option], actor: .packager,
        scope: "the \(object) access to everything else that SELinux denies it",
        takesEffect: confinement.recreation,
        assumes: assumes)
    }
    return [all, own].compactMap(\.self)
  }

  // MARK: - AppArmor and virtual machines

  /// Returns the remedy that adds the path to libvirt's profiles for virtual machines.
  ///
  /// libvirt rewrites the profile of a virtual machine at each start, so the remedy changes a file
  /// that all profiles include.
  ///
  /// - Returns: The remedy; `nil` if the subject is not a virtual machine of libvirt.
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
        scope: "the same access to every libvirt virtual machine",
        takesEffect: "when the virtual machine is restarted",
        assumes: "/etc/apparmor.d/abstractions/libvirt-qemu includes \(file)")
    ]
  }
}

extension Remedy {
  /// Returns the remedy with an additional condition.
  func assuming(_ condition: String) -> Remedy {
    var remedy = self
    remedy.assumes = Remedy.both(assumes, condition)
    return remedy
  }
}

extension ConfinementFacts.EnforcedLabel {
  /// A Boolean value that indicates whether the label is an SELinux domain for containers.
  fileprivate var isOfContainers: Bool {
    guard code == .selinux else { return false }
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count > 2
      && ["container_t", "container_init_t", "svirt_lxc_net_t"].contains(parts[2])
  }
}

extension String {
  /// A Boolean value that indicates whether the path, in quotes, matches only itself in an AppArmor
  /// profile.
  fileprivate var isPlainForProfile: Bool {
    hasPrefix("/")
      && utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7F && !"\"\\*?[]{}^,@".utf8.contains(byte)
      }
  }
}

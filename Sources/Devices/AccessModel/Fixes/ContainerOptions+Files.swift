/// Options for what a container lacks of the host, other than single device nodes.
extension ContainerOptions {
  /// Returns the fix that starts the container with a file, a socket or a directory of the host.
  ///
  /// The result is empty if the engine's option cannot name the path.
  func passFile(_ path: String) -> [Remedy] {
    // The option of a pod is a line of YAML.
    guard path.isConfigurationWord, !path.utf8.contains(where: ",{}[]&*!#|>".utf8.contains) else {
      return []
    }
    var remedy = Remedy(
      "Start the container with \(path) of the host", actor: .packager,
      scope: "access to everything in it that the container's user has permission to use",
      takesEffect: confinement.recreation,
      assumes: """
        \(path) exists on the host, and the container's user has permission to use it
        """)
    let isRead = !wanted.contains(.write)
    switch confinement.container {
    case _ where confinement.takesRunOptions:
      remedy.steps[0].options = [
        "--volume=\("\(path):\(path)\(isRead ? ":ro" : "")".shellQuoted)"
      ]
    case "kubernetes":
      remedy.title = "Give the pod \(path) of its Kubernetes node, as a hostPath volume"
      remedy.steps[0].options = [
        "volumes: [{name: devaccess, hostPath: {path: \(path)}}]",
        "volumeMounts: [{name: devaccess, mountPath: \(path)\(isRead ? ", readOnly: true" : "")}]",
      ]
    default: return []
    }
    return [remedy]
  }

  // MARK: - Kubernetes

  /// A Boolean value that indicates whether the process is the virtual machine that Kata Containers
  /// runs a pod in.
  var isKata: Bool {
    confinement.cgroup?.parts(at: "/").last?.hasPrefix("kata_") == true
  }

  /// A Boolean value that indicates whether the container seems to be privileged: nothing limits
  /// its capabilities or system calls.
  var isPrivileged: Bool {
    confinement.container == "kubernetes" && confinement.seccompMode == 0
      && subject.bounding == .all && subject.effective.contains(.administerSystem)
  }

  /// The fix for a privileged container that got the devices that existed when it started.
  var newPod: Remedy {
    Remedy(
      "Delete the pod, so that its controller creates it again with the devices that exist now",
      actor: .packager, until: .replug,
      assumes:
        "the container is privileged, and a controller, such as a Deployment, manages the pod")
  }

  /// The fix for a privileged container that did not get the devices of its Kubernetes node.
  var hostDevices: Remedy {
    Remedy(
      """
      On the Kubernetes node, let containerd give privileged containers all devices: set \
      privileged_without_host_devices = false in its configuration
      """, actor: .administrator,
      scope: "every privileged container access to every device of the Kubernetes node",
      takesEffect: "when containerd is restarted and the pod is recreated",
      assumes: "the container is privileged, and containerd runs it with that setting turned on")
  }

  /// Returns whether the path is a node of NVIDIA's driver, and the device list has none of them.
  func hasLostNVIDIA(_ path: String) -> Bool {
    guard NodeCompanions.isNVIDIA(path), let list = subject.deviceCgroup else { return false }
    return !list.exceptions.contains { $0.major == NodeCompanions.nvidiaMajor && $0.read }
  }

  /// The fix for NVIDIA's nodes that systemd removed from the device list of a running pod.
  ///
  /// When systemd reloads its configuration, it writes the list again, from the links in `/dev/char`,
  /// which the driver does not create.
  var linksOfNVIDIA: Remedy {
    let create = "nvidia-ctk system create-dev-char-symlinks --create-all"
    let rule = #"ACTION=="add", DEVPATH=="/bus/pci/drivers/nvidia", RUN+="/usr/bin/\#(create)""#
    return Remedy(
      "On the Kubernetes node, create the links in /dev/char for NVIDIA's nodes, now and at every boot",
      commands: UdevRuleRemedies.commands(adding: rule, to: "73-devaccess-nvidia.rules") + [create],
      actor: .administrator, takesEffect: "when the pod is recreated",
      assumes: """
        the pod had the device before systemd reloaded its configuration there, and the NVIDIA Container \
        Toolkit is installed
        """)
  }
}

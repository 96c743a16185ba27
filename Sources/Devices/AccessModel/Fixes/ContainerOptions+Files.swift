/// Options for what a container lacks of the host, other than single device nodes.
extension ContainerOptions {
  /// Returns the fix that starts the container with a file, a socket or a directory of the host.
  ///
  /// The result is empty if the engine's option cannot name the path.
  func passFile(_ path: String) -> [Remedy] {
    guard path.isConfigurationWord, !path.utf8.contains(UInt8(ascii: ",")) else { return [] }
    var remedy = Remedy(
      "Start the container with \(path) of the host", actor: .packager,
      takesEffect: confinement.recreation,
      assumes: """
        \(path) exists on the host, and the user that the container runs as has permission to use it
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
}

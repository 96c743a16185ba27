/// The fixes for missing nodes that a graphics driver has for all its cards.
extension NodesLayer {
  /// Returns the fixes for a missing node of a graphics driver; `nil` for another node.
  func missingComputeRemedies(_ path: String) -> [Remedy]? {
    guard NodeCompanions.isNVIDIA(path) || path == "/dev/kfd" else { return nil }
    if confinement.container != nil {
      let start = ContainerStart(assessment: assessment, names: names)
      return start.passDevice(path).map { passed in
        var passed = passed
        for index in passed.steps.indices { passed.steps[index].changes = [] }
        passed.assumes = passed.assumes ?? "the host has \(path), and its mode lets \(user) in"
        return passed
      }
    }
    let drivers = DriversLayer(assessment: assessment, names: names)
    if facts.hardware?.module(ofNode: path) != nil { return drivers.nodeDriverRemedies(path) }
    switch path {
    case "/dev/nvidia-uvm":
      let file = "/etc/modules-load.d/devaccess-nvidia_uvm.conf"
      return [
        Remedy(
          "Load the driver now and at every boot",
          commands: ["modprobe nvidia_uvm", "echo nvidia_uvm > \(file)"], actor: .administrator,
          assumes: """
            the running kernel has the module nvidia_uvm, and udev or nvidia-modprobe makes the node
            """)
      ]
    case "/dev/nvidiactl":
      return [
        Remedy(
          "Make the nodes of NVIDIA's driver", commands: ["nvidia-modprobe -c=0 -u"],
          actor: .administrator, until: .boot,
          assumes: "nvidia-modprobe is installed, and the modules are built for the running kernel")
      ]
    default: return []
    }
  }
}

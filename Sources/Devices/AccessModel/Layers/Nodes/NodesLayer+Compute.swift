/// Fixes for missing nodes that a graphics driver shares among all its cards.
extension NodesLayer {
  /// Returns the fixes for a missing node of a graphics driver; `nil` for any other node.
  func missingComputeRemedies(_ path: String) -> [Remedy]? {
    guard NodeCompanions.isNVIDIA(path) || path == "/dev/kfd" else { return nil }
    if confinement.container != nil {
      let start = ContainerStart(assessment: assessment, names: names)
      return start.passDevice(path).map { passed in
        var passed = passed.withoutChanges
        passed.assumes =
          passed.assumes ?? Remedy.both("the host has \(path)", "\(user) has permission on it")
        return passed
      }
    }
    let drivers = DriversLayer(assessment: assessment, names: names)
    if facts.hardware?.module(ofNode: path) != nil { return drivers.nodeDriverRemedies(path) }
    switch path {
    case "/dev/nvidia-uvm":
      return [
        Remedy(
          "Load the driver and create its nodes, now and at every boot",
          commands: DriversLayer.nvidiaCommands("nvidia_uvm"), actor: .administrator,
          assumes: Remedy.both(
            "the running kernel has the module nvidia_uvm",
            "nvidia-modprobe is installed as /usr/bin/nvidia-modprobe"))
      ]
    case "/dev/nvidiactl":
      return [
        Remedy(
          "Create the nodes of the NVIDIA driver", commands: ["nvidia-modprobe -c=0 -u"],
          actor: .administrator, until: .boot,
          assumes: Remedy.both(
            "nvidia-modprobe is installed", "the modules are built for the running kernel"))
      ]
    default: return []
    }
  }
}

import AccessModel
import Testing

/// Missing nodes that programs open along with a graphics card.
@Suite struct `A missing companion` {
  private static func card(
    _ driver: String, nodes: [String], _ change: (inout Fixtures) -> Void = { _ in }
  ) -> Explanation {
    Fixtures.camera.with {
      $0.removeDevices()
      $0.facts.kind = "gpu"
      let path = "/dev/dri/renderD128"
      for node in [path] + nodes { $0.add(node, .characterDevice, mode: 0o666) }
      var device = DeviceFacts(
        node: path, sysfsPath: "/sys/devices/pci/drm/renderD128", subsystem: "drm",
        kernelName: "renderD128")
      device.driver = driver
      device.isInitialized = true
      device.classify()
      $0.facts.devices = [device]
      $0.facts.access.request = .open(path: path, flags: [.readWrite])
      change(&$0)
    }.explain()
  }

  @Test func `of NVIDIA's driver is named, and its module loaded`() throws {
    let explanation = Self.card("nvidia", nodes: ["/dev/nvidia0", "/dev/nvidiactl"])
    #expect(explanation.answer == .allowed)
    let cause = try #require(explanation.furtherCauses.first)
    #expect(cause.code == .auxNode && cause.summary.contains("/dev/nvidia-uvm"))
    let commands = explanation.remedies.first?.commands ?? []
    #expect(commands.contains("modprobe nvidia_uvm"))
    #expect(commands.last == "nvidia-modprobe -c=0 -u")
  }

  @Test func `is not named where all are there, or where nothing tells of them`() {
    let nodes = ["/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm"]
    #expect(Self.card("nvidia", nodes: nodes).furtherCauses == [])
    #expect(Self.card("nvidia", nodes: []).furtherCauses == [])
    #expect(Self.card("amdgpu", nodes: []).furtherCauses == [])
  }

  @Test func `of a container that was started without it is handed in`() throws {
    let explanation = Self.card("amdgpu", nodes: []) {
      $0.facts.confinement.container = "docker"
      var kfd = DeviceFacts(
        node: "/dev/kfd", sysfsPath: "/sys/devices/virtual/kfd/kfd", subsystem: "kfd",
        kernelName: "kfd")
      kfd.number = DeviceNumber(major: 236, minor: 0)
      $0.facts.devices.append(kfd)
    }
    #expect(explanation.answer == .allowed)
    #expect(explanation.furtherCauses.first?.code == .auxNode)
    #expect(explanation.remedies.flatMap(\.options).contains("--device=/dev/kfd"))
  }
}

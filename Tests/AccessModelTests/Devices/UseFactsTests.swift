import AccessModel
import Testing

@Suite struct `The use of a device` {
  private func holder(_ access: Permissions? = [.read, .write]) -> DeviceHolder {
    DeviceHolder(HoldingProcess(id: 7, name: "player"), DeviceHold(access: access))
  }

  private func loopback(_ access: Permissions?) -> HoldDirection? {
    var device = DeviceFacts(
      node: "/dev/video9", sysfsPath: "/sys/devices/virtual/video4linux/video9",
      subsystem: "video4linux", kernelName: "video9")
    device.driver = "v4l2 loopback"
    let holder = holder(access)
    return DeviceUse(node: "/dev/video9", device: device, holders: [holder]).direction(of: holder)
  }

  @Test func `is free only if everybody was looked into`() {
    let nobody = DeviceUse(node: "/dev/video0")
    #expect(UseFacts(devices: [nobody]).state(of: nobody) == .free)
    #expect(UseFacts(unseen: UnseenProcesses(count: 1)).state(of: nobody) == .unknown)
    for reason in UnseenProcesses.Reason.allCases {
      let facts = UseFacts(unseen: UnseenProcesses(reasons: [reason]))
      #expect(facts.state(of: nobody) == .unknown, "\(reason)")
    }
  }

  @Test func `is free if the driver itself says so, whoever was not seen`() {
    let microphone = DeviceUse(node: "/dev/snd/pcmC0D0c", isToldByDriver: true)
    let facts = UseFacts(unseen: UnseenProcesses(count: 400, reasons: [.notTraceable]))
    #expect(facts.state(of: microphone) == .free)
  }

  @Test func `is known by one holder, named or not`() {
    let facts = UseFacts(unseen: UnseenProcesses(count: 1, reasons: [.refused]))
    #expect(facts.state(of: DeviceUse(node: "/dev/x", holders: [holder()])) == .used)
    #expect(facts.state(of: DeviceUse(node: "/dev/x", unnamedHolders: 1)) == .used)
  }

  @Test func `tells feeders of a virtual camera from viewers by how they opened it`() {
    #expect(loopback(.write) == .feeds)
    #expect(loopback(.read) == .views)
    #expect(loopback([.read, .write]) == nil)
    #expect(loopback(nil) == nil)
    // A real camera has no feeders.
    let holder = holder(.write)
    #expect(DeviceUse(node: "/dev/video0", holders: [holder]).direction(of: holder) == nil)
  }

  @Test(arguments: [
    ("pipewire", nil, true), ("wireplumber", nil, true), ("pipewire-media-", nil, true),
    ("cheese", nil, false), ("pipewire", "/usr/bin/cheese", false),
    ("main", "/usr/bin/pipewire", true), ("pipewire-media-", "/opt/x/pipewire-media-x", false),
  ])
  func `knows a media server by its program, or by its name`(
    name: String, executable: String?, isServer: Bool
  ) {
    var process = HoldingProcess(id: 1, name: name)
    process.executable = executable
    #expect(process.isMediaServer == isServer)
  }

  @Test func `says what would show the unseen`() {
    #expect(UnseenProcesses(reasons: [.notTraceable]).needsAdministrator)
    #expect(UnseenProcesses(reasons: [.hidden]).needsAdministrator)
    #expect(!UnseenProcesses(reasons: [.refused, .outside]).needsAdministrator)
    #expect(UnseenProcesses(count: 3, reasons: [.hidden]).isAtLeast)
    #expect(!UnseenProcesses(count: 3, reasons: [.notTraceable]).isAtLeast)
  }
}

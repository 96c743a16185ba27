import AccessModel
import Testing

@Suite struct `What the users of a device leave to others` {
  private static func camera(_ driver: String = "uvcvideo") -> DeviceFacts {
    var device = DeviceFacts(
      node: "/dev/video0", sysfsPath: "/sys/devices/x/video4linux/video0",
      subsystem: "video4linux", kernelName: "video0")
    device.driver = driver
    return device
  }

  private func holder(
    _ name: String = "cheese", _ hold: DeviceHold = DeviceHold(), id: Int32 = 7
  ) -> DeviceHolder {
    DeviceHolder(HoldingProcess(id: id, name: name), hold)
  }

  private func occupation(
    _ holders: [DeviceHolder], of device: DeviceFacts? = camera(),
    unseen: UnseenProcesses = UnseenProcesses(), besides process: Int32? = nil
  ) -> Occupation {
    let use = DeviceUse(node: "/dev/video0", device: device, holders: holders)
    return UseFacts(devices: [use], unseen: unseen).occupation(of: use, besides: process)
  }

  @Test func `is everything where nobody has it open`() {
    #expect(occupation([]) == .free)
    #expect(occupation([], unseen: UnseenProcesses(reasons: [.hidden])) == .unknown)
  }

  @Test(
    arguments: [
      (DeviceHold(isMapped: true), .busy), (DeviceHold(descriptors: 0, isMapped: true), .busy),
      (DeviceHold(activity: .streaming), .busy), (DeviceHold(activity: .idle), .open),
      // The buffers are allocated, even if they are not being filled at the moment.
      (DeviceHold(isMapped: true, activity: .idle), .busy), (DeviceHold(), .held),
      (DeviceHold(access: .read), .held),
    ] as [(DeviceHold, Occupation)])
  func `is told of a camera by its buffers`(hold: DeviceHold, occupation: Occupation) {
    #expect(self.occupation([holder("cheese", hold)]) == occupation)
  }

  @Test func `is everything where somebody only watches the controls`() {
    #expect(occupation([holder("wireplumber")]) == .open)
    #expect(occupation([holder("pipewire")]) == .held)
    // A process that was not observed may be streaming.
    let unseen = UnseenProcesses(count: 1, reasons: [.notTraceable])
    #expect(occupation([holder("wireplumber")], unseen: unseen) == .unknown)
    #expect(occupation([holder()], unseen: unseen) == .held)
  }

  @Test func `is not only watched by what streams, whatever it calls itself`() throws {
    var use = DeviceUse(
      node: "/dev/snd/pcmC0D0c",
      holders: [
        holder("wireplumber", DeviceHold(activity: .streaming)), holder("wireplumber", id: 9),
      ])
    #expect(use.activeUsers.map(\.processID) == [use.holders[0].process.id])
    use.holders[0].hold.activity = .idle
    #expect(use.activeUsers.isEmpty)
  }

  @Test func `is told by the one that is most in the way`() {
    let busy = holder("cheese", DeviceHold(isMapped: true), id: 8)
    #expect(occupation([holder("wireplumber"), busy, holder(id: 9)]) == .busy)
    #expect(occupation([holder("wireplumber"), holder(id: 9)]) == .held)
  }

  @Test func `is everything where only the one who asks has it open`() {
    let own = holder("cheese", DeviceHold(isMapped: true))
    #expect(occupation([own], besides: 7) == .free)
    #expect(occupation([own], besides: 8) == .busy)
  }

  @Test func `is everything of an old virtual camera and a codec`() {
    let streaming = holder("obs", DeviceHold(isMapped: true, activity: .streaming))
    #expect(occupation([streaming], of: Self.camera("v4l2 loopback")) == .open)
    var codec = Self.camera("hantro-vpu")
    codec.classify()
    #expect(codec.role == .memoryToMemory)
    #expect(occupation([streaming], of: codec) == .open)
    #expect(occupation([streaming], of: nil) == .held)
  }

  @Test(arguments: [(0, .busy), (1, .open), (nil, .held)] as [(Int?, Occupation)])
  func `is told by a sound card`(free: Int?, occupation: Occupation) {
    let device = DeviceFacts(
      node: "/dev/snd/pcmC0D0c", sysfsPath: "/sys/x", subsystem: "sound", kernelName: "pcmC0D0c")
    var use = DeviceUse(
      node: "/dev/snd/pcmC0D0c", device: device, holders: [holder("arecord")],
      isToldByDriver: true)
    use.freeStreams = free
    #expect(UseFacts(devices: [use]).occupation(of: use) == occupation)
    use.holders = []
    #expect(UseFacts(devices: [use]).occupation(of: use) == .free)
    use.unnamedHolders = 1
    #expect(UseFacts(devices: [use]).occupation(of: use) == occupation)
  }

  @Test(arguments: [("controlC0", .open), ("pcmC0D0c", .held)] as [(String, Occupation)])
  func `is everything of the controls of a sound card`(name: String, occupation: Occupation) {
    let device = DeviceFacts(
      node: "/dev/snd/\(name)", sysfsPath: "/sys/x", subsystem: "sound", kernelName: name)
    #expect(self.occupation([holder("pulseaudio")], of: device) == occupation)
  }

  @Test(
    arguments: [
      ("mem", "null", nil, .open), ("mem", "zero", nil, .open), ("misc", "kvm", nil, .open),
      ("misc", "fuse", nil, .open), ("misc", "watchdog", nil, .busy),
      ("misc", "something", nil, .held), ("watchdog", "watchdog0", nil, .busy),
      ("input", "event3", nil, .open), ("hidraw", "hidraw0", nil, .open),
      ("drm", "renderD128", nil, .open), ("media", "media0", nil, .open),
      ("tty", "ttyUSB0", "ftdi_sio", .held), ("tty", "ttyS0", nil, .held),
      ("tty", "ttyAMA0", nil, .held), ("tty", "tty1", nil, .open), ("tty", "tty", nil, .open),
      ("tty", "ptmx", nil, .open), ("tty", "console", nil, .open),
      ("scsi_tape", "nst0", "st", .busy), ("rtc", "rtc0", nil, .busy), ("tpm", "tpm0", nil, .busy),
      ("tpmrm", "tpmrm0", nil, .open), ("vfio", "12", nil, .busy),
      ("usbmisc", "lp0", "usblp", .busy), ("usbmisc", "cdc-wdm0", "cdc_mbim", .held),
      ("printer", "lp0", nil, .busy), ("block", "sda1", nil, .held),
      ("no such subsystem", "x", nil, .held),
    ] as [(String, String, String?, Occupation)])
  func `is what the driver of another device shares`(
    subsystem: String, name: String, driver: String?, occupation: Occupation
  ) {
    var device = DeviceFacts(
      node: "/dev/video0", sysfsPath: "/sys/x", subsystem: subsystem, kernelName: name)
    device.driver = driver
    #expect(self.occupation([holder()], of: device) == occupation)
    #expect(self.occupation([], of: device) == .free)
    #expect(self.occupation([holder()], of: device, besides: 7) == .free)
    // A device that serves any number of programs is free for others, even with unobserved
    // processes. No other device is.
    var explained = AccessFacts(
      access: AccessCase(
        protectedSymlinks: true, mounts: [], nodes: [], subject: Subject(uid: 7, gid: 7),
        request: .open(path: "/dev/video0", flags: [.readWrite])))
    explained.devices = [device]
    let unseen = UnseenProcesses(count: 1, reasons: [.notTraceable])
    for (holders, unseenAnswer) in [([holder()], Answer.refused), ([], .undetermined)] {
      let use = DeviceUse(node: "/dev/video0", device: device, holders: holders)
      explained.use = UseFacts(devices: [use], unseen: unseen)
      var explanation = explained.explain()
      explanation.answer = .allowed
      #expect(explanation.answerIfFree == (occupation == .open ? .allowed : unseenAnswer))
    }
  }

  @Test func `bears on an answer about a camera or a stream alone`() {
    func targets(_ node: String, _ subsystem: String, _ name: String) -> [Question.Target] {
      var facts = AccessFacts(
        access: AccessCase(
          protectedSymlinks: true, mounts: [], nodes: [], subject: Subject(uid: 0, gid: 0),
          request: .open(path: node, flags: [.readWrite])))
      facts.devices = [
        DeviceFacts(node: node, sysfsPath: "/sys/x", subsystem: subsystem, kernelName: name)
      ]
      return facts.targetsOfUse
    }
    #expect(targets("/dev/video0", "video4linux", "video0") == [.path("/dev/video0")])
    #expect(targets("/dev/snd/pcmC0D0c", "sound", "pcmC0D0c") == [.path("/dev/snd/pcmC0D0c")])
    #expect(targets("/dev/snd/controlC0", "sound", "controlC0") == [])
    #expect(targets("/dev/ttyUSB0", "tty", "ttyUSB0") == [])
  }
}

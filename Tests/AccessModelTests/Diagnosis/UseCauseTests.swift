import AccessModel
import Testing

@Suite struct `A device that others use` {
  private static func use(
    _ number: Int, _ name: String = "cheese", _ hold: DeviceHold = DeviceHold(isMapped: true),
    clients: [MediaClient]? = nil
  ) -> DeviceUse {
    var process = HoldingProcess(id: 4711, name: name)
    process.user = 1001
    process.userName = "bob"
    process.application = "org.gnome.Cheese"
    return DeviceUse(
      node: "/dev/video\(number)", holders: [DeviceHolder(process, hold, clients: clients)])
  }

  private func explain(
    _ uses: [DeviceUse], unseen: UnseenProcesses = UnseenProcesses(),
    _ change: (inout Fixtures) -> Void = { _ in }
  ) throws -> Explanation {
    let facts = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.addCamera(1, name: "Other")
      $0.facts.use = UseFacts(devices: uses, unseen: unseen)
      change(&$0)
    }.facts
    // The facts are encoded and decoded first, which must not change the answer.
    return try JSON.decode(AccessFacts.self, JSON.encode(facts)).explain()
  }

  @Test func `is passed over where another one is free`() throws {
    let explanation = try explain([Self.use(0), DeviceUse(node: "/dev/video1")])
    #expect(explanation.path == "/dev/video1")
    #expect(explanation.answer == .allowed && explanation.status == .authorized)
    #expect(explanation.availability == .present)
    #expect(explanation.occupation == .free)
    #expect(explanation.furtherCauses == [])
    #expect(explanation.candidates.map(\.occupation) == [.free, .busy])
    #expect(explanation.evidence.contains("no program has it open"))
  }

  @Test func `is the answer where there is no better one, and names its user`() throws {
    let explanation = try explain([Self.use(0), Self.use(1)])
    #expect(explanation.path == "/dev/video0")
    #expect(explanation.answer == .allowed && explanation.availability == .busy)
    let cause = try #require(explanation.furtherCauses.first)
    #expect(cause.code == .busy && cause.isProven)
    #expect(cause.summary.contains("cheese (process 4711, user bob, org.gnome.Cheese)"))
    #expect(explanation.remedies.first?.title == "Close the program cheese (process 4711)")
    #expect(explanation.use?.holders.count == 1)
  }

  /// A service may restart after its process was ended.
  @Test(
    arguments: [
      (
        "motion.service", nil,
        "systemctl mask --now motion.service || systemctl disable --now motion.service"
      ),
      (
        "app-cheese.service", Fixtures.alice,
        """
        systemctl --user mask --now app-cheese.service || \
        systemctl --user disable --now app-cheese.service
        """
      ),
      (
        "app-cheese.service", Fixtures.bob,
        "systemctl --user -M bob@ mask --now app-cheese.service"
      ), ("session-2.scope", nil, "kill 4711"),
      ("user@1000.service", nil, "kill 4711"), ("a b.service", nil, "kill 4711"),
    ] as [(String, UInt32?, String?)])
  func `is stopped by its manager if it is a service`(
    unit: String, user: UInt32?, command: String?
  ) throws {
    var use = Self.use(0)
    use.holders[0].process.unit = unit
    use.holders[0].process.unitUser = user
    let remedies = try explain([use, Self.use(1)]).remedies
    #expect(remedies.first?.commands == [command].compactMap(\.self))
    #expect(remedies.last?.title == "Close the program cheese (process 4711)")
  }

  @Test func `is doubtful where it cannot be told whether its user streams`() throws {
    let explanation = try explain([
      Self.use(0, "cheese", DeviceHold()), Self.use(1, "cheese", DeviceHold()),
    ])
    #expect(explanation.availability == .present && explanation.occupation == .held)
    let cause = try #require(explanation.furtherCauses.first)
    #expect(cause.code == .busy && !cause.isProven)
    #expect(cause.summary.contains("is not known"))
    // A device that is known to be streaming is worse.
    #expect(
      try explain([Self.use(0), Self.use(1, "cheese", DeviceHold())]).path == "/dev/video1")
  }

  @Test func `is as good as free where its user keeps nobody out`() throws {
    let explanation = try explain([Self.use(0, "wireplumber", DeviceHold())])
    #expect(explanation.path == "/dev/video0")
    #expect(explanation.availability == .present && explanation.occupation == .open)
    #expect(explanation.furtherCauses == [])
  }

  @Test(arguments: [
    (3, "3 processes"), (1, "1 process"), (0, "not every process"),
  ])
  func `is never called free where somebody was not seen`(count: Int, who: String) throws {
    let unseen = UnseenProcesses(count: count, reasons: [.notTraceable])
    let explanation = try explain([DeviceUse(node: "/dev/video0")], unseen: unseen)
    #expect(explanation.occupation == .unknown)
    let line = "no program was seen to have it open, and \(who) could not be inspected"
    #expect(explanation.evidence.contains(line))
  }

  @Test func `is not busy for the one who uses it`() throws {
    let explanation = try explain([Self.use(0)]) {
      $0.facts.origin = SubjectOrigin(.process, pid: 4711)
    }
    #expect(explanation.path == "/dev/video0" && explanation.occupation == .free)
  }

  @Test func `names who keeps others out before those who may, each once`() throws {
    var use = Self.use(0, "viewer", DeviceHold())
    var process = HoldingProcess(id: 4712, name: "cheese")
    process.user = 1001
    use.holders.append(DeviceHolder(process, DeviceHold(isMapped: true)))
    let explanation = try explain([use, Self.use(1)])
    #expect(explanation.path == "/dev/video0")
    let cause = try #require(explanation.furtherCauses.first)
    let first = try #require(cause.summary.firstRange(of: "cheese (process 4712"))
    let second = cause.summary.firstRange(of: "viewer (process 4711")
    #expect(second.map { first.lowerBound < $0.lowerBound } ?? true)
    #expect(cause.summary.ranges(of: "cheese").count == 1)
  }

  @Test func `is used through a media server by the clients of that`() throws {
    let client = MediaClient(name: "zoom", processID: 12, application: "us.zoom.Zoom")
    let hold = DeviceHold(activity: .streaming)
    var uses = [0, 1].map { Self.use($0, "pipewire", hold, clients: [client]) }
    for index in uses.indices { uses[index].holders[0].process.user = Fixtures.alice }
    let explanation = try explain(uses)
    let cause = try #require(explanation.furtherCauses.first)
    #expect(cause.summary.contains("zoom (process 12, us.zoom.Zoom, through pipewire)"))
    #expect(
      explanation.remedies.first?.title
        == "Use the device through pipewire, which shares it among programs"
    )
  }

  @Test func `cannot be used through a sound server of another account`() throws {
    let uses = [0, 1].map { Self.use($0, "pulseaudio") }
    let remedies = try explain(uses).remedies
    #expect(!remedies.contains { $0.title.contains("through pulseaudio") })
    let first = try #require(remedies.first)
    #expect(first.commands.last == "kill 4711")
    #expect(first.commands.first?.contains("su -s /bin/sh bob -c") == true)
    #expect(first.commands.first?.contains("autospawn = no") == true)
  }

  @Test func `of which a speaker is not said to record nothing`() {
    let explanation = Fixtures.camera.with {
      $0.removeDevices()
      $0.ask("/dev/snd/pcmC1D0p", mode: 0o666)
      var speaker = DeviceFacts(
        node: "/dev/snd/pcmC1D0p", sysfsPath: "/sys/devices/pci/sound/card1/pcmC1D0p",
        subsystem: "sound", kernelName: "pcmC1D0p")
      speaker.classify()
      $0.facts.devices = [speaker]
      $0.try(.open, 16)
    }.explain()
    #expect(explanation.answer == .refused && explanation.availability == .busy)
    #expect(explanation.cause?.code == .busy && explanation.furtherCauses.isEmpty)
  }

  @Test func `names nobody by words that read as its own`() throws {
    let explanation = try explain([
      Self.use(0, "x) is free; ignore this", DeviceHold(isMapped: true)), Self.use(1),
    ])
    let cause = try #require(explanation.furtherCauses.first)
    #expect(cause.summary.contains("'x) is free; ignore this' (process 4711"))
  }

  @Test func `does not give way to an infrared camera, or to a virtual one without pictures`()
    throws
  {
    for (isFed, path) in [(nil, "/dev/video0"), (true, "/dev/video1")] as [(Bool?, String)] {
      let explanation = try explain([
        Self.use(0),
        isFed == nil ? DeviceUse(node: "/dev/video1") : Self.use(1, "obs", DeviceHold()),
      ]) {
        $0.device(1) { device in
          device.driver = "v4l2 loopback"
          device.sysfsPath = "/sys/devices/virtual/video4linux/video1"
        }
      }
      #expect(explanation.path == path)
    }
    let infrared = try explain([Self.use(0), DeviceUse(node: "/dev/video1")]) {
      $0.device(1) { $0.name = "Integrated IR Camera" }
    }
    #expect(infrared.path == "/dev/video0" && infrared.availability == .busy)
  }

  @Test func `is in the way of nobody who may not use it`() throws {
    let explanation = Fixtures.camera.with {
      $0.facts.use = UseFacts(devices: [Self.use(0)])
    }.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.cause?.code != .busy)
  }

  /// The desktop's programs for cameras and phones, which its volume monitors start.
  @Test(arguments: [
    ("gvfsd-gphoto2", "gvfs-daemon.service", "gphoto2"),
    ("gvfs-gphoto2-vo", "gvfs-gphoto2-volume-monitor.service", "gphoto2"),
    ("gvfsd-mtp", "gvfs-daemon.service", "mtp"), ("gvfsd-afc", "gvfs-daemon.service", "afc"),
  ])
  func `is let go by the desktop, whose other files stay`(
    name: String, unit: String, kind: String
  ) throws {
    var use = Self.use(0, name)
    use.holders[0].process.user = Fixtures.alice
    use.holders[0].process.unit = unit
    use.holders[0].process.unitUser = Fixtures.alice
    let remedies = try explain([use, Self.use(1)]).remedies
    #expect(
      remedies.first?.commands == [
        "systemctl --user mask --now gvfs-\(kind)-volume-monitor.service",
        "gio mount -s \(kind)",
      ])
    #expect(remedies.first?.actor == .user && remedies.first?.lasts == nil)
    #expect(remedies.contains { $0.commands == ["gio mount -s \(kind)"] && $0.lasts != nil })
    #expect(remedies.map(\.commands).joined().allSatisfy { !$0.contains("gvfs-daemon") })
  }

  @Test func `and that has claimed an interface is certain to keep others from it`() {
    let explanation = Fixtures.camera.with {
      $0.askDevice(
        "/dev/bus/usb/001/006", subsystem: "usb", mode: 0o666, tags: ["seat", "uaccess"])
      $0.facts.kind = "usb"
      $0.facts.devices[0].sysfsPath = "/sys/devices/pci/usb1/1-7"
      $0.facts.devices[0].kernelName = "1-7"
      var hardware = HardwareFacts()
      hardware.interfaces = [
        HardwareFacts.USBInterface(
          sysfsPath: "/sys/devices/pci/usb1/1-7/1-7:1.0", driver: "usbfs", interfaceClass: 6)
      ]
      $0.facts.hardware = hardware
      var use = Self.use(0, "hidapp", DeviceHold())
      use.node = "/dev/bus/usb/001/006"
      $0.facts.use = UseFacts(devices: [use], unseen: UnseenProcesses())
    }.explain()
    #expect(explanation.answer == .allowed)
    #expect(explanation.furtherCauses.first?.code == .usbClaimed)
    #expect(explanation.furtherCauses.first?.summary.contains("hidapp") == true)
  }
}

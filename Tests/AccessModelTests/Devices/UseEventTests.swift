import Testing

@testable import AccessModel

@Suite struct `What happens to the use of a device` {
  private func process(_ id: Int32, _ name: String = "cheese", start: UInt64 = 1) -> HoldingProcess
  {
    var process = HoldingProcess(id: id, name: name)
    process.startTicks = start
    return process
  }

  private func facts(
    _ holders: [DeviceHolder], node: String = "/dev/video0", unseen: Int = 0,
    isToldByDriver: Bool = false, unnamed: Int = 0
  ) -> UseFacts {
    let reasons: Set<UnseenProcesses.Reason> = unseen > 0 ? [.notTraceable] : []
    return UseFacts(
      devices: [
        DeviceUse(
          node: node, holders: holders, unnamedHolders: unnamed, isToldByDriver: isToldByDriver)
      ], unseen: UnseenProcesses(count: unseen, reasons: reasons))
  }

  private func words(_ events: [UseEvent]) -> [String] {
    events.map { "\($0.action.rawValue) \($0.user?.name ?? "-")" }
  }

  @Test func `who stopped is told before who began`() {
    let before = facts([DeviceHolder(process(1, "a"), DeviceHold())])
    let after = facts([DeviceHolder(process(2, "b"), DeviceHold())])
    #expect(words(after.events(since: before)) == ["closed a", "opened b"])
  }

  @Test func `a program that runs on unseen did not close the device`() {
    let before = facts([
      DeviceHolder(process(1, "a"), DeviceHold()), DeviceHolder(process(2, "b"), DeviceHold()),
    ])
    var after = facts([], unseen: 1)
    after.outOfSight = [2]
    after.keepHidden(of: before)
    #expect(words(after.events(since: before)) == ["closed a", "hidden b"])
    #expect(after.devices[0].activeUsers.map(\.name) == ["b"])
    var later = facts([], unseen: 1)
    later.outOfSight = [2]
    later.keepHidden(of: after)
    #expect(later.events(since: after) == [])
    #expect(words(before.events(since: later)) == ["opened a"])
    #expect(words(facts([]).events(since: later)) == ["closed b"])
    #expect(words(facts([], unseen: 1).events(since: before)) == ["closed a", "closed b"])
  }

  @Test func `a process that took the number of another is another user`() {
    let before = facts([DeviceHolder(process(1), DeviceHold())])
    let after = facts([DeviceHolder(process(1, start: 2), DeviceHold())])
    #expect(words(after.events(since: before)) == ["closed cheese", "opened cheese"])
  }

  @Test func `a program that kept a device did not open it when its node is back`() {
    let kept = DeviceHolder(process(1, "a"), DeviceHold())
    let gone = facts([kept]).devices
    let back = facts([kept, DeviceHolder(process(2, "b"), DeviceHold())])
    #expect(words(back.events(since: UseFacts(), recalling: gone)) == ["added -", "opened b"])
    #expect(words(back.events(since: UseFacts())) == ["added -", "opened a", "opened b"])
    // Another device had this node in the meantime.
    var meanwhile = facts([])
    meanwhile.devices[0].number = DeviceNumber(major: 7, minor: 79)
    #expect(
      words(back.events(since: meanwhile, recalling: gone)) == ["removed -", "added -", "opened b"])
    let other = facts([DeviceHolder(process(1, start: 2), DeviceHold())])
    #expect(
      words(other.events(since: UseFacts(), recalling: gone)) == ["added -", "opened cheese"])
  }

  @Test func `names and numbers of descriptors are nothing that happens`() {
    let before = facts([DeviceHolder(process(1, "a"), DeviceHold())], unseen: 3)
    let after = facts([DeviceHolder(process(1, "b"), DeviceHold(descriptors: 2))], unseen: 4)
    #expect(after.events(since: before) == [])
  }

  @Test func `streams of a program that stays begin and end`() {
    let idle = facts([DeviceHolder(process(1), DeviceHold(activity: .idle))])
    let streams = facts([DeviceHolder(process(1), DeviceHold(activity: .streaming))])
    #expect(words(streams.events(since: idle)) == ["started cheese"])
    #expect(words(idle.events(since: streams)) == ["stopped cheese"])
  }

  @Test func `clients of a media server come and go`() {
    let server = process(1, "pipewire")
    let client = MediaClient(name: "firefox", processID: 7)
    let alone = facts([DeviceHolder(server, DeviceHold(), clients: [])])
    let used = facts([DeviceHolder(server, DeviceHold(), clients: [client])])
    let twice = facts([DeviceHolder(server, DeviceHold(), clients: [client, client])])
    #expect(words(used.events(since: alone)) == ["opened firefox"])
    #expect(words(twice.events(since: used)) == ["opened firefox"])
    #expect(words(alone.events(since: twice)) == ["closed firefox", "closed firefox"])
    #expect(words(facts([]).events(since: used)) == ["closed firefox", "closed pipewire"])
  }

  @Test func `streams of a program that cannot be identified begin and end`() {
    let streams = facts([], unnamed: 1)
    var idle = streams
    idle.devices[0].idleUnnamedHolders = 1
    #expect(words(streams.events(since: idle)) == ["started -"])
    #expect(words(idle.events(since: streams)) == ["stopped -"])
  }

  @Test func `devices come with their users, and take them along`() {
    let used = facts([DeviceHolder(process(1), DeviceHold())])
    #expect(words(used.events(since: UseFacts())) == ["added -", "opened cheese"])
    #expect(words(UseFacts().events(since: used)) == ["removed -"])
  }

  @Test func `a program that cannot be seen takes the certainty away`() {
    let free = facts([], unseen: 9, isToldByDriver: true)
    let unknown = facts([], unseen: 9)
    #expect(words(unknown.events(since: free)) == ["unknown -"])
    #expect(words(free.events(since: unknown)) == ["free -"])
    // The number of unseen processes changes constantly.
    #expect(facts([], unseen: 8).events(since: unknown) == [])
    #expect(words(facts([], unnamed: 1).events(since: facts([]))) == ["opened -"])
  }
}

@Suite struct `Those who get something from a device` {
  private func camera(_ driver: String, _ path: String) -> DeviceFacts {
    var device = DeviceFacts(
      node: "/dev/video0", sysfsPath: path, subsystem: "video4linux", kernelName: "video0",
      seat: "seat0")
    device.driver = driver
    return device
  }

  private func active(_ holders: [DeviceHolder], _ configure: (inout DeviceUse) -> Void = { _ in })
    -> [String]
  {
    var use = DeviceUse(
      node: "/dev/video0", device: camera("uvcvideo", "/sys/devices/usb1/video4linux/video0"),
      holders: holders)
    configure(&use)
    return use.activeUsers.map { $0.name ?? "-" }
  }

  private func holder(
    _ name: String, _ hold: DeviceHold = DeviceHold(), _ clients: [MediaClient]? = nil
  ) -> DeviceHolder {
    // Each program has its own process.
    let id = Int32(name.utf8.reduce(1) { $0 * 31 % 4_000_000 + Int($1) })
    return DeviceHolder(HoldingProcess(id: id, name: name), hold, clients: clients)
  }

  @Test func `are programs that opened it themselves`() {
    #expect(active([holder("ffmpeg")]) == ["ffmpeg"])
    #expect(active([holder("ffmpeg", DeviceHold(activity: .idle))]) == [])
    #expect(active([]) { $0.unnamedHolders = 1 } == ["-"])
    #expect(active([]) { ($0.unnamedHolders, $0.idleUnnamedHolders) = (1, 1) } == [])
    #expect(active([]) { ($0.unnamedHolders, $0.idleUnnamedHolders) = (3, 1) } == ["-", "-"])
  }

  @Test func `are no media servers that only keep it open`() {
    #expect(active([holder("wireplumber"), holder("pipewire")]) == [])
    #expect(active([holder("wireplumber", DeviceHold(isMapped: true))]) == [])
    #expect(active([holder("pipewire", DeviceHold(isMapped: true))]) == ["pipewire"])
    #expect(active([holder("pulseaudio", DeviceHold(activity: .streaming))]) == ["pulseaudio"])
  }

  @Test func `are not known where a media server and the driver say nothing`() {
    func causesNoEvents(_ holder: DeviceHolder, _ configure: (inout DeviceUse) -> Void = { _ in })
      -> Bool
    {
      var use = DeviceUse(
        node: "/dev/video0", device: camera("uvcvideo", "/sys/devices/usb1/video4linux/video0"),
        holders: [holder])
      configure(&use)
      return use.hasUntoldClients
    }
    #expect(causesNoEvents(holder("pipewire")))
    #expect(!causesNoEvents(holder("pipewire", DeviceHold(), [])))
    #expect(!causesNoEvents(holder("pipewire", DeviceHold(activity: .idle))))
    #expect(!causesNoEvents(holder("pipewire", DeviceHold(isMapped: true))))
    #expect(!causesNoEvents(holder("wireplumber")))
    #expect(!causesNoEvents(holder("ffmpeg")))
    #expect(!causesNoEvents(holder("pipewire")) { $0.device?.subsystem = "sound" })
  }

  @Test func `are the clients of a media server to whom data flows`() {
    let clients = [
      MediaClient(name: "firefox"), MediaClient(name: "mixer", isStreaming: false),
    ]
    let server = holder("pipewire", DeviceHold(activity: .streaming), clients)
    #expect(active([server]) == ["firefox"])
  }

  @Test func `are no programs that feed a virtual camera`() {
    let path = "/sys/devices/virtual/video4linux/video0"
    let holders = [
      DeviceHolder(HoldingProcess(id: 1, name: "obs"), DeviceHold(access: .write)),
      DeviceHolder(HoldingProcess(id: 2, name: "zoom"), DeviceHold()),
    ]
    #expect(active(holders) { $0.device = camera("v4l2loopback", path) } == ["zoom"])
    #expect(active(holders) == ["obs", "zoom"])
  }

  @Test func `are nobody while a virtual camera is not fed`() {
    var device = camera("v4l2loopback", "/sys/devices/virtual/video4linux/video0")
    for (isFed, users) in [(nil, ["obs"]), (false, []), (true, [])] as [(Bool?, [String])] {
      device.isFed = isFed
      #expect(active([holder("obs")]) { $0.device = device } == users)
    }
    // Either of the two could be the feeder.
    #expect(active([holder("obs"), holder("zoom")]) { $0.device = device } == ["obs", "zoom"])
  }
}

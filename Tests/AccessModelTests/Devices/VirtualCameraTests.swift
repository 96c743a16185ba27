import Testing

@testable import AccessModel

@Suite struct `Who has a virtual camera open` {
  private static let both = DeviceHold()
  private static let mapped = DeviceHold(isMapped: true)

  /// A camera that processes 1, 2 and so on have open.
  private static func camera(
    _ holds: [DeviceHold], fed isFed: Bool? = true, _ version: LoopbackVersion? = .oneViewer
  ) -> UseFacts {
    camera(holds.enumerated().map { (Int32($0 + 1), $1) }, fed: isFed, version)
  }

  private static func camera(
    _ holds: [(Int32, DeviceHold)], fed isFed: Bool? = true,
    _ version: LoopbackVersion? = .oneViewer
  ) -> UseFacts {
    var device = DeviceFacts(
      node: "/dev/video0", sysfsPath: "/sys/devices/virtual/video4linux/video0",
      subsystem: "video4linux", kernelName: "video0")
    (device.isFed, device.loopbackVersion) = (isFed, version)
    let holders = holds.map { DeviceHolder(HoldingProcess(id: $0, name: "x"), $1) }
    return UseFacts(devices: [DeviceUse(node: "/dev/video0", device: device, holders: holders)])
  }

  /// The role of each process: `f` for a feeder, `v` for a viewer, `F` and `V` if only likely, and
  /// `-` if unknown.
  private static func words(_ facts: UseFacts) -> String {
    let use = facts.devices[0]
    return use.holders.map { holder in
      let isProven = use.isDirectionProven(of: holder)
      return switch use.direction(of: holder) {
      case .feeds?: isProven ? "f" : "F"
      case .views?: isProven ? "v" : "V"
      case nil: "-"
      }
    }.joined()
  }

  @Test func `feeds it, or views it`() {
    func words(
      _ holds: [DeviceHold], fed: Bool? = true, _ version: LoopbackVersion? = .oneViewer
    ) -> String { Self.words(Self.camera(holds, fed: fed, version)) }
    let (both, mapped) = (Self.both, Self.mapped)
    let (read, write) = (DeviceHold(access: .read), DeviceHold(access: .write))
    #expect(words([both], fed: nil) == "-")
    // A program that is about to feed the camera has it open as well.
    #expect(words([both, mapped, read], fed: false) == "--v")
    #expect(words([both, both]) == "--")
    #expect(words([mapped, mapped]) == "--")
    // Most feeders write and most viewers map memory, but not all.
    #expect(words([both, mapped, mapped]) == "FVV")
    for version in LoopbackVersion.allCases + [nil] {
      // The process may be the last of several viewers, or a control may keep the camera.
      #expect(words([both], version) == "F")
      #expect(words([mapped], version) == "F")
      #expect(words([mapped, read], version) == "Fv")
      #expect(words([mapped, write], version) == "vf")
      #expect(words([both, write], version) == "vf")
    }
  }

  /// Written data distinguishes a feeder from a process that waits or reads.
  @Test func `feeds it by writing, unless it has written nothing`() {
    let (silent, busy) = (DeviceHold.writing(false), DeviceHold.writing(true))
    #expect(Self.words(Self.camera([busy, Self.mapped])) == "FV")
    #expect(Self.words(Self.camera([silent, Self.mapped])) == "VF")
    #expect(Self.words(Self.camera([silent, busy, Self.mapped])) == "VFV")
    #expect(Self.words(Self.camera([silent, Self.mapped, Self.mapped])) == "---")
    #expect(Self.words(Self.camera([silent, silent])) == "--")
    #expect(Self.words(Self.camera([silent])) == "F")
  }

  @Test(arguments: [Self.both, mapped])
  func `is fed by no media server that has it open`(feeding: DeviceHold) {
    var facts = Self.camera([Self.both, feeding])
    #expect(Self.words(facts) != "VF")
    facts.devices[0].holders[0].process.name = "wireplumber"
    #expect(Self.words(facts) == "VF")
    #expect(facts.devices[0].activeUsers.isEmpty)
    #expect(facts.occupation(of: facts.devices[0]) == .open)
  }

  /// A program can inherit the open file of the program that started it; both then have the same
  /// role.
  @Test(arguments: LoopbackVersion.allCases)
  func `does what those do who share its file`(version: LoopbackVersion) {
    let shared = DeviceHold.sharing(with: 1)
    let (feeder, child) = ((Int32(1), shared), (Int32(2), shared))
    let viewer = (Int32(3), Self.mapped)
    #expect(Self.words(Self.camera([feeder, child, viewer], version)) == "FFV")
    expect(
      [
        Scan([(1, Self.both)], fed: false, "-"), Scan([(1, Self.both)], "f"),
        Scan([feeder, child], "ff"), Scan([feeder, child, viewer], "ffv"),
        // The child continues.
        Scan([(2, Self.both), viewer], "fv"), Scan([viewer], "v"),
      ], version)
  }

  private struct Scan {
    var holds: [(Int32, DeviceHold)]
    var isFed: Bool?
    var words: String

    init(_ holds: [(Int32, DeviceHold)], fed isFed: Bool = true, _ words: String) {
      (self.holds, self.isFed, self.words) = (holds, isFed, words)
    }
  }

  private func expect(
    _ scans: [Scan], _ version: LoopbackVersion?,
    _ location: SourceLocation = #_sourceLocation
  ) {
    var before: UseFacts?
    for (index, scan) in scans.enumerated() {
      var facts = Self.camera(scan.holds, fed: scan.isFed, version)
      if let before { facts.keepDirections(of: before) }
      #expect(Self.words(facts) == scan.words, "look \(index)", sourceLocation: location)
      before = facts
    }
  }

  @Test(arguments: LoopbackVersion.allCases)
  func `goes on to feed it, whoever opens it`(version: LoopbackVersion) {
    let (one, two, three, four) = (
      (Int32(1), Self.both), (Int32(2), Self.both), (Int32(3), Self.both), (Int32(4), Self.both)
    )
    expect(
      [
        Scan([one], fed: false, "-"), Scan([one], "f"), Scan([one, two], "fv"),
        Scan([one, two, three], "fvv"),
        // The feeder exits. The viewers wait for another one, which then arrives.
        Scan([two, three], "vv"), Scan([two, three, four], "vvF"),
      ], version)
  }

  @Test func `is not the feeder for having stayed when that one went`() {
    let (feeder, viewer) = ((Int32(1), Self.both), (Int32(2), Self.mapped))
    let next = (Int32(3), Self.both)
    for version in [.anyViewers, .oneMapping] as [LoopbackVersion] {
      // Both were present in the first scan.
      expect(
        [
          Scan([feeder, viewer], "FV"), Scan([viewer], "-"), Scan([viewer, next], "VF"),
          Scan([viewer], "-"), Scan([], fed: false, ""), Scan([viewer], "f"),
        ], version)
      // It is unknown which of the two exited.
      let mapped = (Int32(4), Self.mapped)
      expect([Scan([viewer, mapped], "--"), Scan([viewer], "-")], version)
      expect([Scan([feeder], "F"), Scan([feeder, viewer], "FV"), Scan([viewer], "-")], version)
    }
    // The guess was wrong: without its feeder, the camera would not be fed.
    expect([Scan([feeder, viewer], "FV"), Scan([viewer], "F")], .oneViewer)
    // A control keeps the camera fed.
    let start = Scan([feeder], fed: false, "-")
    expect([start, Scan([feeder], "f"), Scan([], ""), Scan([viewer], "F")], .oneViewer)
    expect(
      [start, Scan([feeder], "f"), Scan([feeder, viewer], "fv"), Scan([viewer], "v")], .oneViewer)
  }

  @Test func `is still a viewer when another feeder comes`() {
    let (viewer, feeder) = ((Int32(2), Self.mapped), (Int32(1), Self.mapped))
    let next = (Int32(3), Self.mapped)
    for version in LoopbackVersion.allCases {
      expect(
        [
          Scan([feeder], fed: false, "-"), Scan([feeder], "f"), Scan([feeder, viewer], "fv"),
          Scan([viewer], fed: false, "-"), Scan([viewer, next], fed: false, "--"),
          Scan([viewer, next], "vf"),
        ], version)
    }
  }

  @Test func `is not known for long by who has mapped memory`() {
    let early = [(Int32(1), Self.mapped), (Int32(2), Self.both)]
    let settled = [(Int32(1), Self.mapped), (Int32(2), Self.mapped)]
    for version in LoopbackVersion.allCases {
      expect([Scan(early, "VF"), Scan(settled, "--")], version)
      // The camera was not fed for some time.
      expect([Scan(early, fed: false, "--"), Scan(settled, "--")], version)
    }
  }

  @Test(
    arguments: [
      (nil, [Self.mapped], .open), (.anyViewers, [mapped, mapped], .open),
      // Only one viewer is possible: the process that maps the memory or, since 0.14, captures by
      // any method.
      (.oneMapping, [both], .open), (.oneMapping, [both, mapped], .busy),
      (.oneMapping, [mapped, mapped], .busy), (.oneMapping, [both, both], .open),
      (.oneViewer, [both], .open), (.oneViewer, [mapped], .open),
      (.oneViewer, [both, mapped], .busy), (.oneViewer, [both, both], .held),
      (.oneViewer, [DeviceHold(access: .write), both], .held),
      (.oneViewer, [DeviceHold(access: .write)], .open),
    ] as [(LoopbackVersion?, [DeviceHold], Occupation)])
  func `leaves it to others`(
    version: LoopbackVersion?, holds: [DeviceHold], occupation: Occupation
  ) {
    let facts = Self.camera(holds, version)
    #expect(facts.occupation(of: facts.devices[0]) == occupation)
    let unfed = Self.camera(holds, fed: false, version)
    #expect(unfed.occupation(of: unfed.devices[0]) == .open)
  }

  @Test(
    arguments: [
      (nil, .oneMapping), ("0.13.2", .oneMapping), ("v0.13.2", .oneMapping), ("0.14.0", .oneViewer),
      ("0.15.4-3-gabc", .oneViewer), ("1.0", .oneViewer), ("x", .oneMapping), ("", .oneMapping),
      ("99999999999999999999.1", .oneMapping),
    ] as [(String?, LoopbackVersion)])
  func `does so by the version of the module`(release: String?, version: LoopbackVersion) {
    #expect(LoopbackVersion(withState: release) == version)
  }
}

extension DeviceHold {
  fileprivate static func writing(_ hasWritten: Bool) -> Self {
    var hold = Self()
    hold.hasWritten = hasWritten
    return hold
  }

  fileprivate static func sharing(with process: Int32) -> Self {
    var hold = Self()
    hold.sharesWith = process
    return hold
  }
}

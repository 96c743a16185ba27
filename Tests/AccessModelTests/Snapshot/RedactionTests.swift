import AccessModel
import FoundationEssentials
import Testing
import UdevRules

@Suite struct Redaction {
  private static let secrets = [
    "zaphod", "Zaphod", "heartofgold", "SN99X7Q", "00:1a:2b:3c:4d:5e", "milliways", "vogon",
    "6fa459ea-ee8a-3ca4-894e-db77e160355e", "diary", "beeblebrox",
    "magrathea",
  ]

  private static func facts() throws -> AccessFacts {
    var access = try JSON.decode(AccessCase.self, fullCaseText)
    access.mounts[0].source = "milliways:/export/zaphod"
    access.mounts[1].source = "/dev/heartofgold/root"
    access.nodes += [
      Node(path: "/home", type: .directory, mode: 0o755, uid: 0, gid: 0),
      Node(path: "/home/zaphod", type: .directory, mode: 0o700, uid: 1042, gid: 1042),
      Node(path: "/home/zaphod/Pictures", type: .directory, mode: 0o755, uid: 1042, gid: 1042),
      Node(path: "/home/zaphod/Pictures/diary", type: .directory, mode: 0o755, uid: 1, gid: 1),
    ]
    var link = Node(path: "/l", type: .symbolicLink, mode: 0o777, uid: 0, gid: 0)
    link.target = "home/../home/zaphod//Pictures/diary/"
    access.nodes.append(link)
    access.subject.groups = [44]
    access.subject.fsuid = 1042
    access.request = .open(path: "/l/.", flags: [.readOnly])
    var facts = AccessFacts(kind: "camera", access: access)
    var device = DeviceFacts(
      node: "/dev/video0",
      sysfsPath: "/sys/devices/usb1/00:1a:2b:3c:4d:5e/video4linux/video0",
      subsystem: "video4linux", kernelName: "video0")
    device.name = "Zaphod's Camera"
    device.links = ["/dev/v4l/by-id/usb-Maker_Cam_SN99X7Q-video-index0"]
    device.properties = [
      "ID_SERIAL": "Maker_Cam_SN99X7Q", "ID_SERIAL_SHORT": "SN99X7Q", "ID_MODEL": "Cam",
      "DEVLINKS": "/dev/v4l/by-id/usb-Maker_Cam_SN99X7Q-video-index0 /dev/zaphod-cam",
      "MY_SITE": "vogon", "ID_V4L_CAPABILITIES": ":capture:",
    ]
    facts.devices = [device]
    facts.interpreters = ["/home/magrathea/bin/interpreter"]
    facts.account.user = "zaphod"
    facts.account.home = "/home/zaphod"
    facts.account.userNames = [0: "root", 44: "tv", 1042: "zaphod", 1043: "user1"]
    facts.account.groupNames = [44: "video", 1042: "zaphod", 1050: "beeblebrox"]
    facts.album = AlbumFacts(path: "/home/zaphod/Pictures", source: .environment)
    facts.confinement.privateMounts = ["/home/zaphod/Pictures"]
    facts.confinement.cgroup =
      "/machine.slice/libpod-6fa459ea-ee8a-3ca4-894e-db77e160355e.scope/zaphod.service"
    facts.confinement.unit = "backup@zaphod.service"
    facts.unobserved = [
      Unobserved("acl", at: "/home/zaphod/diary", reason: "zaphod: no /home/zaphod/diary here")
    ]
    var hardware = HardwareFacts()
    hardware.unbound = [.init(sysfsPath: "/sys/x", name: "Zaphod's", module: "uvcvideo")]
    hardware.modules = [
      .init(name: "uvcvideo", isLoaded: false, isInstalled: false, otherKernels: ["6.1-zaphod"])
    ]
    hardware.switchedOff = [.init(path: "/sys/y", value: "off")]
    hardware.usb = [
      .init(
        sysfsPath: "/sys/00:1a:2b:3c:4d:5e/1-4", name: "Zaphod's", reason: .deviceNotAuthorized)
    ]
    hardware.held = [
      .init(
        sysfsPath: "/sys/00:1a:2b:3c:4d:5e/1-4:1.0", name: "Zaphod's", driver: "usbfs",
        module: "ch341")
    ]
    hardware.services = ["brltty@zaphod.service"]
    hardware.interfaces = [
      .init(sysfsPath: "/sys/devices/00:1a:2b:3c:4d:5e/1-4/1-4:1.0", driver: "zaphod")
    ]
    hardware.ports = [
      .init(
        node: "/dev/tty-zaphod", properties: ["ID_MM_PORT_IGNORE": "1", "ID_MM_X": "zaphod"],
        policy: "zaphod", vendor: "1546")
    ]
    facts.hardware = hardware
    facts.confinement.application = ApplicationFacts(
      name: "org.zaphod.Cam", devices: ["all", "zaphod"], filesystems: ["/home/zaphod/diary"])
    var service = ServiceFacts()
    service.policies = [.init(unit: "zaphod.service", missed: ["/dev/tty-zaphod"])]
    service.appArmorProfile = "/home/zaphod/bin/cam"
    service.selinuxContext = "zaphod_t"
    service.rootDirectory = "/home/zaphod"
    service.protected = [.init("/home/zaphod", isReadOnlyOutside: true)]
    facts.confinement.service = service
    facts.portal = PortalFacts(storedAnswer: "no", problem: "zaphod said so")
    facts.attempts = [Attempt(path: "/home/zaphod/Pictures/diary", errno: 16)]
    facts.origin = SubjectOrigin(.user, name: "zaphod", variations: ["group zaphod added"])
    facts.use = Self.use
    facts.kernelChecks = [
      KernelCheck(path: "/home/zaphod/Pictures/diary", mode: .read, errno: 13)
    ]
    return facts
  }

  private static var use: UseFacts {
    var process = HoldingProcess(id: 7, name: "zaphod's cam")
    process.user = 1042
    process.userName = "zaphod"
    process.executable = "/home/zaphod/bin/diary"
    process.unit = "app-zaphod.scope"
    process.container = "podman"
    process.containerName = "6fa459ea-ee8a-3ca4-894e-db77e160355e"
    process.application = "org.zaphod.Cam"
    var client = MediaClient(name: "zaphod here", application: "org.zaphod.App")
    client.process = process
    return UseFacts(devices: [
      DeviceUse(
        node: "/dev/video0", kind: "camera",
        holders: [DeviceHolder(process, DeviceHold(), clients: [client])])
    ])
  }

  @Test func `leaves nothing that names somebody or something`() throws {
    let text = try JSON.encode(#require(try Self.facts().redacted()))
    #expect(Self.secrets.filter { text.contains($0) } == [])
    // The words that explain the answer remain.
    let words = ["root", "video0", "Pictures", "Cam", ":capture:", "1042", "/home/user2"]
    #expect(words.filter { !text.contains($0) } == [])
  }

  @Test func `keeps what is asked, and what a service and a port have set`() throws {
    var facts = try Self.facts()
    let path = "/dev/video0"
    for (isEffective, isNoFollow) in [(true, false), (false, true)] {
      let request = Request.access(
        path: path, mode: .read, effective: isEffective, noFollow: isNoFollow)
      facts.access.request = request
      #expect(facts.redacted()?.access.request == request)
    }
    let redacted = try #require(facts.redacted())
    #expect(redacted.confinement.service?.protected?.map(\.isReadOnlyOutside) == [true])
    #expect(redacted.hardware?.ports.map(\.properties) == [["ID_MM_PORT_IGNORE": "1"]])
  }

  @Test func `hides a user whom no number names`() throws {
    var facts = try Self.facts()
    facts.account.user = "trillian"
    facts.account.home = "/home/trillian"
    facts.portal?.problem = "trillian said so"
    facts.access.request = .open(path: "/dev/video0", flags: [.readOnly])
    let text = try JSON.encode(#require(facts.redacted()))
    #expect(!text.contains("trillian"))
    facts.account.home = nil
    #expect(try !JSON.encode(#require(facts.redacted())).contains("trillian"))
  }

  /// A short name can be part of many words.
  @Test func `leaves words in which a name occurs`() throws {
    var facts = try Self.facts()
    facts.account.userNames[1044] = "cam"
    facts.devices[0].name = "webcam of cam, Camera"
    facts.devices[0].driver = "cam"
    let redacted = try #require(facts.redacted())
    let user = try #require(redacted.account.userNames[1044])
    #expect(redacted.devices[0].name == "webcam of \(user), Camera")
    #expect(redacted.devices[0].driver == user)
  }

  /// A word that only resembles an identifier is kept, because it may explain the answer.
  @Test(arguments: [
    ("6fa459ea-ee8a-3ca4-894e-db77e160355f", true), ("6fa459ea-ee8a-3ca4-894e-db77e160355", false),
    ("6fa459ea-ee8a-3ca4-894e:db77e160355f", false), ("00:1a:2b:3c:4d:99", true),
    ("00:1a:2b:3c:4d:9", false), ("00:1a:2b:3c:4d-99", false),
    ("0123456789abcdef01234567", true), ("0123456789abcdef0123456", false),
  ])
  func `knows an identifier by its form`(word: String, isHidden: Bool) throws {
    var facts = try Self.facts()
    facts.devices[0].name = "on \(word)"
    #expect((facts.redacted()?.devices[0].name != "on \(word)") == isHidden)
    facts.devices[0].name = "Cam"
    facts.hardware?.held[0].name = word
    #expect((facts.redacted()?.hardware?.held[0].name != word) == isHidden)
    facts.hardware?.held[0].name = "Cam"
    facts.hardware?.unbound[0].name = word
    #expect((facts.redacted()?.hardware?.unbound[0].name != word) == isHidden)
  }

  @Test func `shows no name of a container but an engine's`() throws {
    var facts = try Self.facts()
    facts.confinement.container = "root:*:19000:0:99999:7:::"
    facts.use?.devices[0].holders[0].process.container = "s3cret"
    facts.use?.devices[0].holders[0].clients?[0].process?.container = "s3cret too"
    let redacted = try #require(facts.redacted())
    #expect(redacted.confinement.container == "container1")
    let holder = try #require(redacted.use?.devices[0].holders[0])
    #expect(holder.process.container == "container2")
    #expect(holder.clients?[0].process?.container == "container3")
    facts.confinement.container = "podman"
    #expect(facts.redacted()?.confinement.container == "podman")
  }

  @Test func `keeps what belongs together together, and apart what is apart`() throws {
    let facts = try #require(try Self.facts().redacted())
    // "user1" is the real name of another user, so it is replaced as well.
    let user = try #require(facts.account.user)
    #expect(facts.account.userNames[1042] == user)
    #expect(facts.account.groupNames[1042] == user)
    #expect(facts.account.home == "/home/\(user)")
    #expect(facts.account.userNames[1043] != "user1")
    #expect(Set(facts.account.userNames.values).count == 4)
    #expect(facts.devices[0].name == "\(user)'s Camera")
    #expect(
      facts.kernelChecks[0].path == facts.access.nodes.map(\.path).first { $0.contains("name") })
    #expect(facts.devices[0].properties["DEVLINKS"]?.hasPrefix(facts.devices[0].links[0]) == true)
    #expect(facts.access.decide().outcome == (try Self.facts().access.decide().outcome))
  }

  /// The facts with a rule of the administrator.
  private static func facts(withRule rule: String) throws -> AccessFacts {
    var facts = try facts()
    let file = RuleFile(
      folder: "/etc/udev/rules.d", name: "71-x.rules", bytes: Array((rule + "\n").utf8))
    var rules = RuleFacts(node: "/dev/video0", files: [file], version: 252)
    rules.device = UdevRuleDevice(
      path: "/devices/x/video4linux/video0", subsystem: "video4linux", node: "/dev/video0",
      number: UdevRuleDevice.Number(major: 81, minor: 0),
      attributes: ["address": .present("00:1b:44:11:3a:b7")], properties: [:])
    rules.environment.users = ["kowalski": .present(1077), "tss": .present(104)]
    rules.environment.groups = ["video": .present(44), "film-club": .absent]
    facts.rules = rules
    return facts
  }

  @Test(arguments: [
    (#"ATTRS{address}=="00:1b:44:11:3a:b7", MODE="0600""#, "00:1b:44:11:3a:b7"),
    (#"ENV{ID_FS_UUID}=="3f2b1c9e-1111-4222-8333-abcdefabcdef", MODE="0600""#, "3f2b1c9e"),
    (#"ENV{ID_NET_NAME}=="disk|laptop-of-max", MODE="0600""#, "laptop-of-max"),
    (#"ENV{CALL}="max-is-here", MODE="0600""#, "max-is-here"),
    (#"KERNEL=="v", OWNER="kowalski", RUN+="/opt/kowalski/bin/a b@kowalski.example""#, "kowalski"),
    (#"KERNEL=="v", GROUP="film-club""#, "film-club"),
    (#"KERNEL=="v", RUN+="/root/plans/run""#, "plans"),
    ("# 5\" wide\r\nENV{CALL}=\"max-is-here\", MODE=\"0600\"", "max-is-here"),
    ("ENV{CALL}=\"\u{301}max-is-here\", MODE=\"0600\"", "max-is-here"),
  ])
  func `leaves nothing in rules that names somebody or something`(
    rule: String, secret: String
  ) throws {
    let facts = try Self.facts(withRule: rule)
    let redacted = try #require(facts.redacted())
    let text = try JSON.encode(redacted)
    #expect(!text.contains(secret))
    // The device still has the attribute that the rule matches.
    #expect(
      redacted.rules?.report("add")?.outcomes.map(\.verdict).count
        == facts.rules?.report("add")?.outcomes.map(\.verdict).count)
  }

  @Test func `keeps names of the system and of models in rules`() throws {
    let rule = #"ENV{ID_MODEL}=="Cam", ENV{ID_X}=="1", OWNER="tss", GROUP="video", MODE="0660""#
    let redacted = try #require(try Self.facts(withRule: rule).redacted())
    #expect(redacted.rules?.files.first?.bytes == Array((rule + "\n").utf8))
  }

  @Test(arguments: ["/root", "/kowalski"])
  func `a home below the root directory is one, too`(home: String) throws {
    var facts = try Self.facts()
    facts.account.home = home
    facts.access.request = .open(path: "\(home)/secretproj/notes", flags: [.readOnly])
    let text = try JSON.encode(#require(facts.redacted()))
    #expect(["secretproj", "notes", "kowalski"].filter { text.contains($0) } == [])
  }

  @Test(arguments: [
    "/home/\u{301}kowalski", "/home/kowalski/\u{301}notes", "/media/\u{20D7}kowalski",
  ])
  func `hides a name also where it begins with a mark`(path: String) throws {
    var facts = try Self.facts()
    facts.access.request = .open(path: "\(path)/secretproj", flags: [.readOnly])
    let text = try JSON.encode(#require(facts.redacted()))
    #expect(["secretproj", "notes", "kowalski"].filter { text.contains($0) } == [])
  }

  @Test func `keeps two names apart that look the same`() throws {
    var facts = try Self.facts()
    let (composed, decomposed) = ("/home/zaphod/caf\u{E9}", "/home/zaphod/cafe\u{301}")
    var link = Node(path: composed, type: .symbolicLink, mode: 0o777, uid: 0, gid: 0)
    link.target = "cafe\u{301}"
    facts.access.nodes += [
      link, Node(path: decomposed, type: .regular, mode: 0o644, uid: 1042, gid: 1042),
    ]
    facts.access.request = .open(path: composed, flags: [.readOnly])
    let redacted = try #require(facts.redacted())
    #expect(redacted.access.decide().outcome == facts.access.decide().outcome)
    #expect(Set(redacted.access.nodes.map(\.path)).count == redacted.access.nodes.count)
  }

  @Test func `is the same when it is done twice`() throws {
    let once = try #require(try Self.facts().redacted())
    #expect(try Self.facts().redacted() == once)
  }

  @Test(arguments: Report.all)
  func `explains every report as before`(_ report: Report) throws {
    let before = report.facts.explain()
    let redacted = report.facts.redacted()
    let after = try #require(redacted).explain()
    #expect(after.cause?.code == before.cause?.code)
    #expect(after.furtherCauses.map(\.code) == before.furtherCauses.map(\.code))
    #expect(after.status == before.status && after.certainty == before.certainty)
    #expect(after.decision.rule == before.decision.rule)
    #expect(after.remedies.count == before.remedies.count)
  }

  @Test func `keeps a length that decides`() throws {
    var facts = try Self.facts()
    let long = String(repeating: "z", count: 256)
    facts.access.request = .open(path: "/home/zaphod/\(long)", flags: [.readOnly])
    facts.access.subject = Subject(uid: 1042, gid: 1042, groups: [])
    let redacted = try #require(facts.redacted())
    #expect(redacted.access.decide().rule == .walkNameTooLong)
    #expect(facts.access.decide().rule == .walkNameTooLong)
    #expect(!redacted.access.request.path.contains("zzz"))
  }

  @Test func `gives nothing rather than another answer`() throws {
    var facts = try Self.facts()
    facts.access.subject = Subject(uid: 1042, gid: 1042, groups: [])
    let long = "/home/zaphod/" + String(repeating: "beeblebrox/", count: 380)
    facts.access.request = .open(path: long, flags: [.readOnly])
    #expect(facts.access.decide().rule == .walkNameTooLong)
    #expect(facts.redacted() == nil)
  }

  /// No other fact contains this home directory.
  @Test(arguments: [
    "/home/arthur/dent: it is a file", "in '/home/arthur/dent' (2)", "at=/home/arthur",
  ])
  func `hides a home in the middle of a sentence`(_ sentence: String) throws {
    var facts = try Self.facts()
    facts.unobserved.append(Unobserved("mountinfo", reason: sentence))
    facts.portal?.problem = sentence
    facts.confinement.profileRule = sentence
    let text = try JSON.encode(try #require(facts.redacted()))
    for name in ["arthur", "dent"] { #expect(!text.contains(name)) }
    #expect(text.contains("it is a file") == sentence.contains("it is a file"))
  }

  /// Puts the secret into each text of a snapshot, one at a time, including fields that are added
  /// later.
  @Test(arguments: ["zaphod", "/home/zaphod", "x zaphod y"])
  func `looks at every text of the facts`(_ secret: String) throws {
    let tree = try JSON.decode(Tree.self, JSON.encode(Self.facts()))
    var tried = 0
    for changed in tree.replacingEachText(with: secret) {
      guard let facts = try? JSON.decode(AccessFacts.self, JSON.encode(changed)) else { continue }
      guard let redacted = facts.redacted() else { continue }
      tried += 1
      let text = try JSON.encode(redacted)
      if let found = text.firstRange(of: "zaphod") {
        Issue.record("left in \(text[..<found.lowerBound].suffix(60))")
      }
    }
    #expect(tried > 20)
  }
}

extension Tree {
  /// Returns copies of this tree, each with another text replaced.
  fileprivate func replacingEachText(with text: String) -> [Tree] {
    switch self {
    case .text:
      return [.text(text)]
    case .object(let members):
      return members.flatMap { key, value in
        value.replacingEachText(with: text).map { replacement in
          .object(members.merging([key: replacement]) { $1 })
        }
      }
    case .list(let elements):
      return elements.indices.flatMap { index in
        elements[index].replacingEachText(with: text).map { replacement in
          var elements = elements
          elements[index] = replacement
          return .list(elements)
        }
      }
    default:
      return []
    }
  }
}

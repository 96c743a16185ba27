import AccessModel
import FoundationEssentials
import Testing

@Suite struct Snapshots {
  private static func facts() throws -> AccessFacts {
    var facts = AccessFacts(
      kind: "camera", access: try JSON.decode(AccessCase.self, fullCaseText))
    var device = DeviceFacts(
      node: "/dev/video0", sysfsPath: "/sys/devices/x/video0", subsystem: "video4linux",
      kernelName: "video0")
    device.properties = ["ID_V4L_CAPABILITIES": ":capture:"]
    device.classify()
    facts.devices = [device]
    facts.album = AlbumFacts(path: "/home/u/Pictures", source: .environment)
    facts.account = AccountFacts(user: "u", home: "/home/u", loginGroups: [1000, 44])
    facts.account.userNames = [0: "root", 4_294_967_294: "odd"]
    facts.account.groupNames = [44: "video"]
    facts.session = SessionFacts(isLogindRunning: true, id: "2", seat: "seat0", isActive: true)
    facts.session?.activeUsers = ["seat0": 1000]
    facts.session?.userSeats = ["seat0"]
    facts.session?.type = "wayland"
    facts.session?.sessionClass = "user"
    facts.confinement.container = "podman"
    facts.confinement.securityModules = ["capability", "landlock"]
    facts.confinement.label = "unconfined"
    facts.confinement.seccompMode = 2
    facts.confinement.cgroup = "/user.slice"
    facts.confinement.unit = "x.service"
    facts.confinement.kernelRelease = "6.18.0"
    facts.confinement.distribution = "debian"
    facts.origin = SubjectOrigin(
      .unit, name: "x.service", pid: 7, source: .files, variations: ["with cap_chown"])
    facts.kernelChecks = [KernelCheck(path: "/dev/video0", mode: [.read, .write], errno: 13)]
    facts.unobserved = [Unobserved("acl", at: "/dev/video0", reason: "permission denied")]
    return facts
  }

  @Test func `come back as they were`() throws {
    let facts = try Self.facts()
    #expect(try JSON.decode(AccessFacts.self, JSON.encode(facts)) == facts)
  }

  @Test func `say of a device what it is, whatever they claim`() throws {
    var device = try Self.facts().devices[0]
    let role = (device.role, device.roleConfidence)
    device.role = .metadata
    device.roleConfidence = .certain
    let text = try JSON.encode(device)
    #expect(text.contains("metadata"))
    for text in [
      text, text.replacing(#","role":"metadata","role_confidence":"certain""#, with: ""),
    ] {
      let decoded = try JSON.decode(DeviceFacts.self, text)
      #expect((decoded.role, decoded.roleConfidence) == role)
    }
  }

  @Test func `have the documented keys`() throws {
    let text = try JSON.encode(Self.facts())
    let tree = try JSON.decode(Tree.self, text)
    guard case .object(let object) = tree else {
      Issue.record("no object")
      return
    }
    #expect(
      Set(object.keys) == [
        "format", "version", "kind", "case", "devices", "album", "account", "session",
        "confinement", "subject_origin", "kernel_checks", "unobserved",
      ])
    #expect(object["format"] == .text("devaccess.snapshot"))
    #expect(object["version"] == .number(1))
    #expect(text.contains(#""user_names":{"0":"root","4294967294":"odd"}"#))
    #expect(text.contains(#""group_names":{"44":"video"}"#))
  }

  @Test func `are read where a newer program has a setting that this one does not know`() throws {
    var facts = try Self.facts()
    var service = ServiceFacts()
    service.policies = [ServiceFacts.Policy(unit: "x.service", setting: .closed)]
    facts.confinement.service = service
    let text = try JSON.encode(facts).replacing("DevicePolicy=closed", with: "DevicePolicy=quantum")
    facts.confinement.service?.policies[0].setting = nil
    #expect(try JSON.decode(AccessFacts.self, text) == facts)
  }

  @Test func `need nothing but a case`() throws {
    let text = #"{"format":"devaccess.snapshot","version":1,"case":\#(fullCaseText)}"#
    let facts = try JSON.decode(AccessFacts.self, text)
    #expect(facts == AccessFacts(access: try JSON.decode(AccessCase.self, fullCaseText)))
  }

  @Test(arguments: [
    (#"{"format":"devaccess.snapshot","version":2,"novelty":[]}"#, SnapshotError.newerVersion(2)),
    (#"{"format":"devaccess.report","version":1}"#, .notASnapshot),
    (#"{"format":7}"#, .notASnapshot),
    (#"{}"#, .notASnapshot),
    (#"[]"#, .notASnapshot),
    (#""devaccess.snapshot""#, .notASnapshot),
    (fullCaseText, .notASnapshot),
  ])
  func `of another kind or time are refused by name`(text: String, error: SnapshotError) {
    #expect(throws: error) { try JSON.decode(AccessFacts.self, text) }
  }

  @Test func `say in one line why they are refused`() {
    #expect(SnapshotError.notASnapshot.description == "not a snapshot")
    #expect(SnapshotError.newerVersion(3).description.hasPrefix("newer version 3"))
    #expect(!SnapshotError.newerVersion(3).description.contains("\n"))
  }

  @Test(
    arguments: [
      ("version", Tree.number(0)),
      ("version", .null),
      ("case", .null),
      ("account", .object(["user_names": .object(["1": .number(2)])])),
      ("account", .object(["login_groups": .list([.number(-1)])])),
      ("session", .object([:])),
      ("devices", .list([.object([:])])),
      ("confinement", .list([])),
    ] as [(String, Tree)])
  func `with a flaw throw and never trap`(place: String, value: Tree) throws {
    var tree = try JSON.decode(Tree.self, JSON.encode(Self.facts()))
    tree.set([place[...]], value)
    let text = try JSON.encode(tree)
    #expect(throws: DecodingError.self) { try JSON.decode(AccessFacts.self, text) }
  }

  @Test func `nested beyond reason throw and never trap`() {
    let text =
      #"{"format":"devaccess.snapshot","version":1,"case":"#
      + String(repeating: "[", count: 100_000)
    #expect(throws: (any Error).self) { try JSON.decode(AccessFacts.self, text) }
  }
}

import AccessModel
import DevicePermissionsTesting
import JSONReading
import JSONText
import LinuxTestSupport
import Testing

@testable import DeviceAccessCommands
@testable import DevicePermissions

@Suite struct `The commands that grant` {
  private static func command(_ words: [String]) throws -> any Command {
    guard case .run(let command) = try Invocation(words, fileExists: { _ in false }).action else {
      throw TestFailure(description: "no command")
    }
    return command
  }

  private static func request(_ words: String...) throws -> GrantRequest {
    let command = try command(["grant"] + words)
    guard case .grant(let request) = (command as? GrantCommand)?.action else {
      throw TestFailure(description: "no grant")
    }
    return request
  }

  @Test(arguments: [
    ("90", 90), ("1s", 1), ("10min", 600), ("1h", 3600), ("1h 30min", 5400), ("1h30min", 5400),
    ("2 days", 172_800), ("1w", 604_800), ("30d", 2_592_000), ("5 m", 300),
  ])
  func `take the units of systemd`(text: String, seconds: Int64) throws {
    #expect(
      try Self.request("camera", "--user=alice", "--for=\(text)").lifetime == .seconds(seconds))
  }

  @Test(arguments: [
    "", " ", "0", "0s", "31d", "5w", "-1", "1x", "min", "1M", "1.5h", "1e3", "99999999999999999999",
    "1h -5min", "\u{0}", String(repeating: "1s", count: 1000), "9223372036854775807w",
  ])
  func `refuse other times`(text: String) {
    #expect(throws: UsageError.self) {
      try Self.request("camera", "--user=alice", "--for=\(text)")
    }
  }

  @Test func `say what failed, and at what where that is known`() {
    let operation = "grant access to"
    let nowhere = CommandFailure(GrantError(.absent, "no user named x"), operation, nil)
    #expect(nowhere.message == "cannot grant access: no user named x")
    let somewhere = CommandFailure(
      GrantError(.notPermitted, at: "/dev/x\u{1B}", "only root may"), operation, "grant /dev/x")
    #expect(
      somewhere.message
        == #"cannot grant access to /dev/x\x1b: only root may; try 'sudo devaccess grant /dev/x'"#)
  }

  @Test func `give an hour of what the kind needs unless told otherwise`() throws {
    #expect(
      try Self.request("camera", "--user=alice")
        == GrantRequest(.kind(.camera), to: "alice", lifetime: .seconds(3600)))
    #expect(
      try Self.request("/dev/ttyUSB0", "--user", "1000", "--read", "--permanent")
        == GrantRequest(.path("/dev/ttyUSB0"), to: "1000", for: .read, lifetime: .permanent))
  }

  @Test(arguments: [
    ["grant"], ["grant", "camera"], ["grant", "camera", "--user="],
    ["grant", "camera", "--user=a", "--for=1h", "--permanent"],
    ["grant", "camera", "--user=a", "--pid=1"], ["grant", "camera", "serial", "--user=a"],
    ["grant", "camera", "--again=0123456789abcdef"], ["grant", "/dev/x", "--again=x"],
    ["grant", "camera", "--user=a", "--settle"],
    ["grant", "/dev/x", "--again=0123456789abcdef", "--user=a"], ["grant", "nonsense", "--user=a"],
    ["grant", "camera", "--user=\(String(repeating: "a", count: 1_000_000))"], ["revoke"],
    ["revoke", "0123456789abcdef", "--user=a"], ["revoke", "nonsense"], ["grants", "camera"],
    ["revoke", "--overdue", "camera"], ["revoke", "--overdue", "--user=a"],
    ["grant", String(repeating: "/a", count: 500_000), "--user=a"],
  ])
  func `refuse what has no meaning`(words: [String]) {
    #expect(throws: UsageError.self) { try Self.command(words) }
  }

  @Test func `take back by identifier, kind and path`() throws {
    func selection(_ words: String...) throws -> GrantSelection? {
      (try Self.command(["revoke"] + words) as? RevokeCommand)?.selection
    }
    #expect(try selection("0123456789abcdef") == .id("0123456789abcdef"))
    #expect(try selection("camera") == .kind("camera", user: nil))
    #expect(try selection("--overdue") == .overdue)
    #expect(try selection("/dev/video9", "--user=bob") == .path("/dev/video9", user: "bob"))
  }

  @Test func `say what a person has to run as root`() {
    let failure = CommandFailure(
      GrantError(.notPermitted, at: "/dev/video0", "no"), "grant access to",
      "grant camera --user=bob")
    #expect(failure.message.hasSuffix("; try 'sudo devaccess grant camera --user=bob'"))
    #expect(failure.status == .refused)
    let hostile = CommandFailure(
      GrantError(.wrongObject, at: "/dev/\u{1B}[31m", "no"), "grant", nil)
    #expect(!hostile.message.contains("\u{1B}"))
  }

  @Test func `print what the schema describes`() throws {
    let checker = try SchemaChecker(Repository.read("Documentation/devaccess.schema.json"))
    let list = try #require(
      AccessList([
        ACLEntry(.user, nil, .read), ACLEntry(.group, nil, []), ACLEntry(.other, nil, []),
      ]))
    for end in [nil, Int64(3600)] {
      for kind in [nil, "camera"] {
        let grant = AccessGrant(
          id: "0123456789abcdef", user: 1000, userName: end.map { _ in "bob" },
          permissions: [.read, .write, .search], kept: [], giver: 0, start: 0, end: end,
          deadline: end, boot: "")
        let standing = StandingGrant(grant: grant, path: "/dev/video0", kind: kind, isOver: false)
        var report = GrantReport(
          grant: grant, path: "/dev/video0", kind: kind, ending: end == nil ? .nothing : .timer,
          before: list, after: list.granting(.read, toUser: 1000), commands: ["true"])
        report.rule = end.map { _ in "rule" }
        (report.basis, report.scope) = (report.rule, report.rule)
        let outputs: [(String, String)] = [
          ("grant", try JSONWriter.encode(GrantOutput(report, isDry: kind == nil))),
          ("revoke", try JSONWriter.encode(RevokeOutput([standing], of: .revoke, isDry: true))),
          ("grants", try JSONWriter.encode(GrantsOutput([standing]))),
        ]
        for (definition, text) in outputs {
          let value = try ParsedJSON(parsing: Array(text.utf8))
          #expect(checker.problems(value, definition: definition) == [])
        }
      }
    }
  }

  @Test func `show who has the number of a user now`() throws {
    let grant = AccessGrant(
      id: "0123456789abcdef", user: 1001, userName: "bob", permissions: .read, kept: [], giver: 0,
      start: 0, end: nil, deadline: nil, boot: "")
    var standing = StandingGrant(grant: grant, path: "/dev/video0", kind: "camera", isOver: false)
    standing.currentName = "eve"
    let style = Style(color: false, unicode: true)
    #expect(
      GrantsText(standing: [standing], style: style).text.contains("  eve (given to bob)  "))
    #expect(
      RevokeText(revoked: [standing], isDry: false, style: style).text
        == "Revoked: eve (given to bob) may read /dev/video0 until it is revoked\n")
    let json = try JSONWriter.encode(GrantsOutput([standing]))
    #expect(json.contains(#""user_name_now":"eve""#) && json.contains(#""user_name":"bob""#))
    let checker = try SchemaChecker(Repository.read("Documentation/devaccess.schema.json"))
    #expect(
      checker.problems(try ParsedJSON(parsing: Array(json.utf8)), definition: "grants") == [])
  }

  @Test(arguments: [nil, "camera"])
  func `say when the access list no longer gives a grant`(kind: String?) {
    let grant = AccessGrant(
      id: "0123456789abcdef", user: 1000, userName: "bob", permissions: .read, kept: [], giver: 0,
      start: 0, end: 3600, deadline: 3600, boot: "")
    let style = Style(color: false, unicode: true)
    func texts(_ standing: StandingGrant) -> (grants: String, revoke: String, plan: String) {
      (
        GrantsText(standing: [standing], style: style).text,
        RevokeText(revoked: [standing], isDry: false, style: style).text,
        RevokeText(revoked: [standing], isDry: true, style: style).text
      )
    }
    let stands = StandingGrant(grant: grant, path: "/dev/video0", kind: kind, isOver: false)
    #expect(texts(stands).grants.hasSuffix("  /dev/video0\n"))
    #expect(texts(stands).revoke.hasPrefix("Revoked: bob may read /dev/video0 until "))
    var lost = stands
    lost.isLost = true
    #expect(
      texts(lost).grants.hasSuffix("/dev/video0 — without effect: the access list was changed\n"))
    #expect(!texts(lost).revoke.contains("Revoked"))
    #expect(
      texts(lost).revoke.hasPrefix("Was already without effect: bob may read /dev/video0 until "))
    #expect(texts(lost).revoke.contains("\nAnother program had changed the access list"))
    #expect(texts(lost).revoke.contains("an event of the device") == (kind != nil))
    #expect(texts(lost).plan.split(separator: "\n").allSatisfy { $0.hasPrefix("# ") })
    var left = stands
    left.remaining = RemainingAccess(.read, by: [.grant(grant), .entry])
    #expect(texts(left).revoke.hasPrefix("Ended: bob may read /dev/video0 until "))
    #expect(
      texts(left).revoke.hasSuffix(
        "\nbob may still read it: grant \(grant.id) by user 0 gives access, and another program has added an "
          + "entry to the access list.\n"))
    left.remaining = RemainingAccess([], by: [.unknown])
    #expect(texts(left).revoke.contains("\nIt is unknown whether bob can still open it."))
    var followed = stands
    followed.survivesReplug = false
    #expect(
      texts(followed).grants.hasSuffix(
        "/dev/video0 — also ends at an event of the device, such as a replug\n"))
    var gone = stands
    gone.isGone = true
    #expect(texts(gone).grants.hasSuffix("/dev/video0 — not found\n"))
  }

  @Test func `say that one which udev does not follow ends with the next event`() throws {
    let list = try #require(
      AccessList([
        ACLEntry(.user, nil, .read), ACLEntry(.group, nil, []), ACLEntry(.other, nil, []),
      ]))
    let grant = AccessGrant(
      id: "0123456789abcdef", user: 1000, userName: "bob", permissions: .read, kept: [], giver: 0,
      start: 0, end: 3600, deadline: 3600, boot: "")
    var report = GrantReport(
      grant: grant, path: "/dev/video0", kind: "camera", ending: .timer, before: list, after: list)
    let style = Style(color: false, unicode: true)
    let text = GrantText(report: report, style: style).text
    #expect(text.contains("It ends at the next event of the device, such as when it is unplugged"))
    let words = "belongs to the host, so the entry also applies outside the container."
    #expect(!text.contains(words))
    report.isOfHost = true
    #expect(GrantText(report: report, style: style).text.contains(words))
    #expect(GrantText(report: report, style: style).plan.contains("\n# The node \(words)\n"))
  }
}

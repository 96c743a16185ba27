import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import Testing

@testable import DeviceAccessCommands

@Suite struct `Rendering` {
  @Test func `an explanation, to the letter`() {
    let text = ExplanationText(
      explanation: Samples.explanation, facts: Samples.facts, style: .plain
    ).text
    #expect(
      text == """
        camera: refused — read and write access to /dev/video0
        Device     Evil\\x1b[31mCam\\u{202e} (bus usb, driver uvcvideo)
        Subject    user alice (1001); groups 1001, video (44)

        ✓  drwxr-xr-x   root  root   /
        ✓  drwxr-xr-x   root  root   dev     devtmpfs on /dev: nodev
        ✗  crw-rw----+  root  video  video0  device 81:0, devtmpfs on /dev: nodev
           user::rw-
           user:alice:rw-  #effective:r--  ←
           group::r--
           mask::r--
           other::---
        ↑  denied (EACCES) by acl.mask: an access control list entry matches, but the
           mask limits it

        Cause      The mask takes write back. (ACL_MASK)
        Fix        Widen the mask
                   # setfacl -m m::rw /dev/video0
                   This also gives access to users whose entries the mask cut.
                   Takes effect at the next open.

        --verbose shows 1 more fix and the evidence.

        """)
  }

  @Test func `a rule for polkit is printed as it is typed`() {
    let node = "/dev/bus/usb/001/007"
    var facts = Samples.facts
    facts.kind = nil
    facts.access.mounts[1].nodev = false
    for folder in ["/dev/bus", "/dev/bus/usb", "/dev/bus/usb/001"] {
      facts.access.nodes.append(Node(path: folder, type: .directory, mode: 0o755, uid: 0, gid: 0))
    }
    var raw = Node(path: node, type: .characterDevice, mode: 0o666, uid: 0, gid: 0)
    raw.rdev = DeviceNumber(major: 189, minor: 6)
    facts.access.nodes.append(raw)
    facts.access.request = .open(path: node, flags: [.readWrite])
    var reader = DeviceFacts(
      node: node, sysfsPath: "/sys/devices/x/1-7", subsystem: "usb", kernelName: "1-7")
    reader.number = raw.rdev
    reader.properties = ["ID_SMARTCARD_READER": "1"]
    facts.devices = [reader]
    var hardware = HardwareFacts()
    hardware.cards = HardwareFacts.CardService(refused: [.any], answer: .no)
    facts.hardware = hardware
    let text = ExplanationText(
      explanation: facts.explain(), facts: facts, style: .plain, isVerbose: true
    ).text
    for part in [
      "(POLKIT_REFUSED)",
      #"""
      # printf '%s\n' 'polkit.addRule(function(action, subject) { if ((action.id == \#
      "org.debian.pcsc-lite.access_pcsc" || action.id == "org.debian.pcsc-lite.access_card") && \#
      subject.user == "alice") return polkit.Result.YES; });' \#
      >> /etc/polkit-1/rules.d/40-devaccess-cards.rules
      """#,
      "# chmod 644 /etc/polkit-1/rules.d/40-devaccess-cards.rules",
      "polkit's own answer about pcscd: no",
    ] {
      #expect(text.contains(part), "no \(part) in:\n\(text)")
    }
  }

  @Test func `everything, to the letter`() {
    let text = ExplanationText(
      explanation: Samples.explanation, facts: Samples.facts, style: .plain, isVerbose: true
    ).text
    #expect(
      text.hasSuffix(
        """
        ↑  denied (EACCES) by acl.mask: an access control list entry matches, but the
           mask limits it
           entry user:1001:rw- under mask::r--

        Status        refused (limited); present; proven (the kernel's own check agrees)
        Cause         The mask takes write back. (ACL_MASK)
        Fix           1. Widen the mask
                         # setfacl -m m::rw /dev/video0
                         This also gives access to users whose entries the mask cut.
                         Takes effect at the next open.
        Or            2. Ask bob
        Find out      See the list
                      $ getfacl /dev/video0
        Evidence      the mask is r--
        Not observed  device cgroup: not readable

        """), "\(text)")
  }

  @Test func `conditions come before the commands, and effects after them`() {
    var explanation = Samples.explanation
    explanation.remedies[0].assumes = "the list is kept, and only if bob has an entry"
    explanation.remedies[0].caution = "nothing else needs /dev/video0"
    let text = ExplanationText(
      explanation: explanation, facts: Samples.facts, style: .plain
    ).text
    #expect(
      text.contains(
        """
        Fix        Widen the mask
                   This works only if the list is kept, and only if bob has an entry.
                   Do this only if nothing else needs /dev/video0.
                   # setfacl -m m::rw /dev/video0
                   This also gives access to users whose entries the mask cut.
                   Takes effect at the next open.

        """), "\(text)")
  }

  @Test func `wraps at the width of the terminal`() {
    var explanation = Samples.explanation
    explanation.cause?.summary = String(repeating: "word ", count: 60)
    for width in [40, 80, 200] {
      let text = ExplanationText(
        explanation: explanation, facts: Samples.facts,
        style: Style(color: true, unicode: true, width: width)
      ).text
      let words = text.split(separator: "\n").filter { $0.contains("word") }
      #expect(words.allSatisfy { Wrapping.width($0) <= width })
      #expect(words.count == (300 + width - 12) / (width - 11) || words.count > 1)
    }
  }

  @Test func `sentences are whole, however long`() {
    var explanation = Samples.explanation
    let long = String(repeating: "word ", count: 200) + "end"
    explanation.note = "note " + long
    explanation.disagreement = "kernel " + long
    explanation.evidence = ["evidence " + long]
    explanation.remedies[0].assumes = "assumption " + long
    explanation.unobserved = [Unobserved("layer", at: "/" + long, reason: "reason " + long)]
    let text = ExplanationText(
      explanation: explanation, facts: Samples.facts, style: .plain, isVerbose: true
    ).text
    #expect(text.split { " \n".contains($0) }.count { $0 == "end" || $0 == "end." } == 5)
    #expect(text.contains("end: reason") && !text.contains("…"))
    let lines = text.split(separator: "\n").filter { $0.contains("word") }
    #expect(lines.allSatisfy { Wrapping.width($0) <= 80 })
  }

  @Test func `the policy that could still refuse is named`() {
    var explanation = Samples.explanation
    explanation.answer = .allowed
    explanation.answerCertainty = .predicted
    #expect(explanation.caveat == nil)
    explanation.doubts = ["the AppArmor profile cam\u{1B}"]
    #expect(explanation.caveat == #"predicted; the AppArmor profile cam\x1b may still deny access"#)
    explanation.doubts += ["the docker container", "a seccomp filter", "the user namespace"]
    #expect(
      explanation.caveat
        == #"""
        predicted; the AppArmor profile cam\x1b, the docker container or a seccomp filter may still \
        deny access
        """#.replacing("\\\n", with: ""))
  }

  @Test func `shows the notes of a container whole`() async {
    let result = await CommandResult.run(
      ["explain", "/dev/video0", "--container=kubernetes"], on: Machines.laptop(running: "bob"))
    let words = result.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.contains("a CDI file, from which the container requests the device."))
  }

  @Test(arguments: [
    (Answer.refused, FileType.characterDevice, "✗", "denied (EACCES) by mode.other"),
    (.undetermined, .characterDevice, "?", "probably denied (EACCES) by mode.other"),
    (.absent, .regular, "✗", "this is not a device"),
    (.absent, .characterDevice, "✗", "no device answers at this node"),
  ])
  func `the last line of a path agrees with the answer`(
    answer: Answer, type: FileType, mark: String, words: String
  ) throws {
    var step = try #require(Samples.decision.steps.last)
    step.path = "/dev/video0"
    step.node = Node(path: step.path, type: type, mode: 0o600, uid: 0, gid: 0)
    step.outcome = .denied(errno: .permissionDenied)
    step.rule = .modeOther
    var decision = Samples.decision
    decision.steps = decision.steps.dropLast() + [step]
    let lines = ChainText(
      decision: decision, answer: answer, mounts: [], names: ShownNames(nil), style: .plain
    ).lines()
    let pointer = try #require(lines.firstIndex { $0.hasPrefix("↑") })
    #expect(lines[pointer].hasPrefix("↑  \(words)"), "\(lines)")
    #expect(lines[pointer - 1].hasPrefix(mark), "\(lines)")
  }

  @Test(arguments: [
    (CauseCode.nodeOtherDevice, "this is not the device's node"),
    (.nodeRenumbered, "this is not the device's node"),
    (.moduleNotBuilt, "no device answers at this node"),
  ])
  func `the last line of a path agrees with the cause`(cause: CauseCode, words: String) throws {
    var decision = Samples.decision
    var step = try #require(decision.steps.last)
    step.path = "/dev/video0"
    step.node = Node(path: step.path, type: .characterDevice, mode: 0o600, uid: 0, gid: 0)
    decision.steps = decision.steps.dropLast() + [step]
    let lines = ChainText(
      decision: decision, answer: .absent, cause: cause, mounts: [], names: ShownNames(nil),
      style: .plain
    ).lines()
    #expect(lines.contains("↑  \(words)"), "\(lines)")
  }

  @Test func `a long way and a long list are cut short`() {
    var decision = Samples.decision
    let step = decision.steps[1]
    for index in 0..<20 {
      var step = step
      step.path = "/dev/\(index)"
      decision.steps.insert(step, at: 2 + index)
    }
    let last = decision.steps.count - 1
    for id in 2000..<10_000 {
      decision.steps[last].node?.acl?.append(ACLEntry(.user, UInt32(id), .read))
    }
    let lines = ChainText(
      decision: decision, answer: .refused, mounts: [], names: ShownNames(nil), style: .plain,
      isVerbose: false
    ).lines()
    #expect(lines.contains("…  16 more steps, all granted"))
    #expect(lines.contains("   and 8000 more entries"))
    #expect(lines.count < 20)
    let all = ChainText(
      decision: decision, answer: .refused, mounts: [], names: ShownNames(nil), style: .plain
    ).lines()
    #expect(all.count > 8000)
  }

  @Test func `in ASCII where the locale is not UTF-8`() {
    let style = Style(choice: .auto, environment: ["LANG": "C"], isTerminal: false)
    let text = ExplanationText(
      explanation: Samples.explanation, facts: Samples.facts, style: style
    ).text
    #expect(text.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
    #expect(text.hasPrefix("camera: refused -- read and write access to /dev/video0\n"))
    #expect(text.contains("\nok  drwxr-xr-x   root  root   /\n"))
    #expect(text.contains("\nNO  crw-rw----+  root  video  video0"))
    #expect(text.contains("    user:alice:rw-  #effective:r--  <-\n"))
    #expect(text.contains("\n^   denied (EACCES)"))
  }

  @Test func `colour changes nothing but colour`() {
    let colored = ExplanationText(
      explanation: Samples.explanation, facts: Samples.facts,
      style: Style(color: true, unicode: true)
    ).text
    let plain = ExplanationText(
      explanation: Samples.explanation, facts: Samples.facts, style: .plain
    ).text
    #expect(colored != plain)
    #expect(colored.replacing(/\u{1B}\[[0-9]+m/, with: "") == plain)
  }

  @Test(
    arguments: [
      ([:], true, Style(color: false, unicode: false)),
      (["TERM": "xterm", "LANG": "de_DE.UTF-8"], true, Style(color: true, unicode: true)),
      (["TERM": "xterm", "NO_COLOR": "1"], true, Style(color: false, unicode: false)),
      (["TERM": "xterm", "NO_COLOR": ""], true, Style(color: true, unicode: false)),
      (["TERM": "dumb"], true, Style(color: false, unicode: false)),
      (["TERM": "xterm"], false, Style(color: false, unicode: false)),
      (["LANG": "C.UTF-8", "LC_ALL": "C"], false, Style(color: false, unicode: false)),
      (["LANG": "C", "LC_CTYPE": "en_US.utf8"], false, Style(color: false, unicode: true)),
      (["LANG": "ca_ES.UTF-8@valencia", "LC_ALL": ""], false, Style(color: false, unicode: true)),
      (["TERM": "linux", "LC_ALL": "C.UTF-8"], true, Style(color: true, unicode: false)),
      (["TERM": "linux", "LC_ALL": "C.UTF-8"], false, Style(color: false, unicode: true)),
    ] as [([String: String], Bool, Style)])
  func `follows the environment`(environment: [String: String], isTerminal: Bool, style: Style) {
    #expect(Style(choice: .auto, environment: environment, isTerminal: isTerminal) == style)
  }

  @Test func `the option beats NO_COLOR`() {
    let style = Style(choice: .always, environment: ["NO_COLOR": "1"], isTerminal: false)
    #expect(style.color)
    #expect(!Style(choice: .never, environment: ["TERM": "xterm"], isTerminal: true).color)
  }

  @Test func `a repeated search is shown once, a link with its target`() {
    var decision = Samples.decision
    var link = Node(path: "/dev/cam", type: .symbolicLink, mode: 0o777, uid: 0, gid: 0)
    link.target = "video0"
    let dev = decision.steps[1]
    decision.steps.insert(
      Step(
        .followLink(target: "video0"), path: "/dev/cam", node: link, mount: "/dev",
        wanted: [], outcome: .granted, rule: nil), at: 2)
    decision.steps.insert(dev, at: 3)
    let lines = ChainText(
      decision: decision, answer: .refused, mounts: [], names: ShownNames(nil), style: .plain
    ).lines()
    #expect(
      lines[0...3].map { $0.split(separator: " ").last ?? "" } == ["/", "dev", "video0", "81:0"])
    #expect(lines[2] == "→  lrwxrwxrwx   0  0   cam -> video0")
  }

  @Test(
    arguments: [
      (0o4755, FileType.regular, "-rwsr-xr-x"), (0o4644, .regular, "-rwSr--r--"),
      (0o2711, .directory, "drwx--s--x"), (0o1777, .directory, "drwxrwxrwt"),
      (0o1770, .directory, "drwxrwx--T"), (0o660, .blockDevice, "brw-rw----"),
      (0, .fifo, "p---------"), (0o777, .symbolicLink, "lrwxrwxrwx"),
      (0o600, .socket, "srw-------"),
    ] as [(UInt16, FileType, String)])
  func `modes look as in ls`(mode: UInt16, type: FileType, text: String) {
    #expect(Node(path: "/x", type: type, mode: mode, uid: 0, gid: 0).modeText == text)
  }

  @Test func `what was not observed shows question marks`() {
    var node = Node(path: "/x", type: .characterDevice, mode: 0, uid: 0, gid: 0)
    node.unobserved = [.status]
    #expect(node.modeText == "c?????????")
    node.unobserved = [.acl]
    #expect(node.modeText == "c---------?")
  }

  @Test func `every rule has words`() {
    for rule in Rule.allCases { #expect(rule.words.count > 10) }
    #expect(Set(Rule.allCases.map(\.words)).count == Rule.allCases.count)
  }

  @Test(
    arguments: [
      (nil, false, "??"), ([], false, "--"), (.read, false, "r-"), (.write, false, "-w"),
      ([.read, .write], true, "rw"), ([.read, .write], false, "r,w"),
    ] as [(Permissions?, Bool, String)])
  func `a list tells both from each`(access: Permissions?, both: Bool, text: String) {
    let listing = DeviceListing(device: Samples.device, access: access, allowsBoth: both)
    #expect(listing.accessText == text)
  }

  @Test func `a list tells what has no node from what is not known`() {
    var card = Samples.device
    card.node = nil
    let listing = DeviceListing(device: card, access: nil, allowsBoth: false)
    #expect(listing.accessText == "no node")
  }

  @Test func `a list tells what is not there from what is refused`() async {
    let absent = DeviceListing(
      device: Samples.device, access: [], allowsBoth: false, isAbsent: true)
    #expect(absent.accessText == "absent")
    let machine = Machines.laptop(running: "root") { $0.remove("/dev/video0") }
    let text = await CommandResult.run(["list", "camera"], on: machine)
    #expect(text.output.contains("/dev/video0  absent"), "\(text.output)")
    let json = await CommandResult.run(["list", "camera", "--json"], on: machine)
    #expect(
      json.output.contains(#""access":[],"absent":true,"read_write":false"#), "\(json.output)")
  }

  @Test(arguments: [
    ("users", "show the path, age and descriptors of each program", "evidence"),
    ("status", "answer for this user, as after a new login", "grant"),
    ("list", "open each device (only cameras if KIND is not given)", "album"),
    ("grant", "the user who gets access", "new login"),
    ("revoke", "end only the grants to this user", "new login"),
    ("rules", "camera microphone gpu serial input hidraw kvm usb\n", "usb album"),
    ("top", "show the snapshot in FILE", "standard input"),
  ])
  func `the help says what an option does in that command`(
    command: String, words: String, others: String
  ) async {
    let help = await CommandResult.run([command, "--help"]).output
    #expect(
      help.split(separator: " ").joined(separator: " ").replacing("\n ", with: " ")
        .contains(words), "\(help)")
    #expect(!help.contains(others), "\(help)")
  }

  @Test func `columns count what is seen`() {
    var columns = Columns()
    columns.add(["相机", "x"])
    columns.add(["e\u{301}a", "y"])
    columns.add([("", nil), ("z", nil)])
    #expect(columns.lines(style: .plain) == ["相机  x", "e\u{301}a    y", "      z"])
  }
}

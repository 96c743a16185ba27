import AccessModel

/// Handwritten values, so that tests can compare complete texts.
enum Samples {
  static var nodes: [Node] {
    let root = Node(path: "/", type: .directory, mode: 0o755, uid: 0, gid: 0)
    let dev = Node(path: "/dev", type: .directory, mode: 0o755, uid: 0, gid: 0)
    var video = Node(path: "/dev/video0", type: .characterDevice, mode: 0o660, uid: 0, gid: 44)
    video.rdev = DeviceNumber(major: 81, minor: 0)
    video.acl = [
      ACLEntry(.user, nil, [.read, .write]), ACLEntry(.user, 1001, [.read, .write]),
      ACLEntry(.group, nil, [.read]), ACLEntry(.mask, nil, [.read]), ACLEntry(.other, nil, []),
    ]
    return [root, dev, video]
  }

  static var decision: Decision {
    var decision = Decision(outcome: .denied(errno: 13), rule: .aclMask, at: "/dev/video0")
    decision.entry = 1
    decision.steps = [
      Step(
        .search, path: "/", node: nodes[0], mount: "/", wanted: .search, outcome: .granted,
        rule: .modeOther),
      Step(
        .search, path: "/dev", node: nodes[1], mount: "/dev", wanted: .search, outcome: .granted,
        rule: .modeOther),
      Step(
        .final, path: "/dev/video0", node: nodes[2], mount: "/dev", wanted: [.read, .write],
        outcome: .denied(errno: 13), rule: .aclMask, note: "entry user:1001:rw- under mask::r--"),
    ]
    return decision
  }

  static var facts: AccessFacts {
    var dev = Mount(at: "/dev", fstype: "devtmpfs")
    dev.nodev = true
    var facts = AccessFacts(
      kind: "camera",
      access: AccessCase(
        protectedSymlinks: true, mounts: [Mount(at: "/", fstype: "ext4"), dev], nodes: nodes,
        subject: Subject(uid: 1001, gid: 1001, groups: [44]),
        request: .open(path: "/dev/video0", flags: [.readWrite])))
    facts.account.user = "alice"
    facts.account.userNames = [0: "root", 1001: "alice"]
    facts.account.groupNames = [0: "root", 44: "video"]
    facts.devices = [device]
    return facts
  }

  static var device: DeviceFacts {
    var device = DeviceFacts(
      node: "/dev/video0", sysfsPath: "/sys/devices/x/video4linux/video0",
      subsystem: "video4linux", kernelName: "video0")
    device.name = "Evil\u{1B}[31mCam\u{202E}"
    device.driver = "uvcvideo"
    device.bus = "usb"
    device.role = .capture
    device.roleConfidence = .likely
    return device
  }

  static var explanation: Explanation {
    var explanation = facts.explain()
    explanation.device = device
    explanation.status = .limited
    explanation.availability = .present
    explanation.answerCertainty = .proven
    explanation.decision = decision
    explanation.candidates = []
    explanation.cause = Cause(.aclMask, summary: "The mask takes write back.", at: "/dev/video0")
    explanation.furtherCauses = []
    explanation.remedies = [
      Remedy(
        "Widen the mask", commands: ["setfacl -m m::rw /dev/video0"], actor: .administrator,
        scope: "access to users whose entries the mask cut",
        takesEffect: "at the next open"),
      Remedy("Ask bob", commands: [], actor: .user),
    ]
    explanation.lookups = [Lookup("See the list", commands: ["getfacl /dev/video0"])]
    explanation.note = nil
    explanation.evidence = ["the mask is r--"]
    explanation.disagreement = nil
    explanation.unobserved = [Unobserved("device-program", reason: "not readable")]
    return explanation
  }
}

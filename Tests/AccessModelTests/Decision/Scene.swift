import AccessModel

/// Builds cases concisely: a root directory, `/dev`, one camera and user 1000.
struct Scene {
  var value = AccessCase(
    protectedSymlinks: true, mounts: [Mount(at: "/", fstype: "tmpfs")], nodes: [],
    subject: Subject(uid: 1000, gid: 1000), request: .open(path: "/a/video0", flags: [.readWrite]))

  init() {
    add("/", .directory, 0o755)
    add("/a", .directory, 0o755)
  }

  mutating func add(
    _ path: String, _ type: FileType, _ mode: UInt16, uid: UInt32 = 0, gid: UInt32 = 0,
    acl: [ACLEntry]? = nil, target: String? = nil, flags: Set<Node.Flag> = []
  ) {
    var node = Node(path: path, type: type, mode: mode, uid: uid, gid: gid)
    node.acl = acl
    node.target = target
    node.flags = flags
    if type.isDevice { node.rdev = DeviceNumber(major: 81, minor: 0) }
    value.nodes.append(node)
  }

  mutating func change(_ path: String, _ body: (inout Node) -> Void) {
    for index in value.nodes.indices where value.nodes[index].path == path {
      body(&value.nodes[index])
    }
  }

  /// Adds the camera, by default with mode 0660, owner root and group 44.
  mutating func addCamera(
    mode: UInt16 = 0o660, uid: UInt32 = 0, gid: UInt32 = 44, acl: [ACLEntry]? = nil
  ) {
    add("/a/video0", .characterDevice, mode, uid: uid, gid: gid, acl: acl)
  }

  mutating func open(_ path: String, _ flags: Set<OpenFlag>) {
    value.request = .open(path: path, flags: flags)
  }

  mutating func access(
    _ path: String, _ mode: Permissions, effective: Bool = true, noFollow: Bool = false
  ) {
    value.request = .access(path: path, mode: mode, effective: effective, noFollow: noFollow)
  }

  /// The decision in one line, such as `denied 13 acl.mask /a/video0`.
  var answer: String {
    Self.text(CaseAnswer(id: 0, value.decide()))
  }

  /// The verdict in the same format.
  var verdict: String {
    let prepared = PreparedCase(value)
    return Self.text(
      CaseAnswer(id: 0, prepared.verdict(), to: value.request, in: prepared))
  }

  private static func text(_ answer: CaseAnswer) -> String {
    let at = answer.at ?? "-"
    return switch answer.outcome {
    case .granted: "granted \(answer.rule?.rawValue ?? "-") \(at)"
    case .denied(let errno): "denied \(errno.rawValue) \(answer.rule?.rawValue ?? "-") \(at)"
    case .undecided(let reason): "undecided \(reason)"
    }
  }
}

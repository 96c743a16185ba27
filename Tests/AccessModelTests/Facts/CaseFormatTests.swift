import AccessModel
import FoundationEssentials
import Testing

@Suite struct `The case format` {
  @Test func `a bare case comes back as it was`() throws {
    let value = try JSON.decode(AccessCase.self, fullCaseText)
    #expect(try JSON.normalized(fullCaseText) == JSON.encode(value))
  }

  @Test func `every field is read`() throws {
    let value = try JSON.decode(AccessCase.self, fullCaseText)
    #expect(value.id == 17)
    #expect(value.protectedSymlinks)
    #expect(value.mounts[0].noexec && !value.mounts[0].readOnly)
    #expect(value.mounts[1].superblockNodev && value.mounts[1].readOnly)
    #expect(value.mounts[1].nosymfollow && !value.mounts[1].superblockReadOnly)
    #expect(value.mounts[1].idmap?.users.outside(5) == 100_005)
    #expect(value.mounts[1].idmap?.groups.outside(5) == nil)
    #expect(value.mounts[1].filesystemNamespace?.groups.ranges.count == 2)
    #expect(value.nodes[1].mode == 0o1777)
    #expect(value.nodes[2].rdev == DeviceNumber(major: 81, minor: 0))
    #expect(value.nodes[2].acl?[4] == ACLEntry(.group, 4_294_967_294, .write))
    #expect(value.nodes[3].target == "../a//video0")
    #expect(value.nodes[4].flags == [.append, .immutable])
    #expect(value.subject.groups == [44, 27, 44])
    #expect(value.subject.permitted == [.changeOwner, .overrideFileAccess])
    #expect(value.subject.bounding == .all)
    #expect(value.subject.securebits == 4)
    #expect(value.subject.deviceCgroup?.exceptions[1].isBlock == true)
    #expect(value.subject.deviceCgroup?.exceptions[1].minor == 3)
    #expect(value.request == .open(path: "/a/./l", flags: [.readWrite, .noFollow]))
  }

  @Test func `what a machine adds comes back, and nothing is said of what is ordinary`() throws {
    var value = try JSON.decode(AccessCase.self, fullCaseText)
    value.mounts[0].nosuid = true
    value.mounts[0].source = "/dev/sda1"
    value.mounts[0].unobserved = [.superblockNodev, .idmap, .flags]
    value.nodes[2].unobserved = [.status, .acl, .flags, .contents, .target]
    value.subject.inheritable = [.makeDeviceNodes]
    value.subject.bounding = [.changeOwner]
    value.subject.ambient = CapabilitySet(bits: 1 << 63 | 1 << 40)
    value.subject.noNewPrivileges = true
    value.subject.unobserved = [
      .ids, .groups, .capabilities, .securebits, .userns, .deviceCgroup, .overflowIDs,
    ]
    let text = try JSON.encode(value)
    #expect(try JSON.decode(AccessCase.self, text) == value)
    #expect(text.contains(#""cap_ambient":["checkpoint_restore",63]"#))
    #expect(text.contains(#""unobserved":["acl","contents","flags","status","target"]"#))
  }

  @Test(arguments: [
    Request.access(path: "/", mode: [], effective: false, noFollow: true),
    .access(path: "/a", mode: [.read, .execute], effective: true, noFollow: false),
    .open(path: "//x/", flags: [.path]),
    .open(path: "/x", flags: [.accessMode3, .truncate, .append, .nonBlocking, .directory]),
  ])
  func `a request comes back`(request: Request) throws {
    #expect(try JSON.decode(Request.self, JSON.encode(request)) == request)
  }

  struct Flaw: Sendable, CustomTestStringConvertible {
    var place: String
    var value: Tree?
    var message: String

    init(_ place: String, _ value: Tree?, _ message: String) {
      self.place = place
      self.value = value
      self.message = message
    }

    var testDescription: String { "\(place): \(message)" }
  }

  private static func text(_ count: Int) -> Tree {
    .text("/" + String(repeating: "n", count: count - 1))
  }

  @Test(arguments: [
    Flaw("mounts", .list([]), "the first mount is at /"),
    Flaw("mounts/0/at", .text("/x"), "the first mount is at /"),
    Flaw("mounts/1/at", .text("sub"), "a path is not absolute"),
    Flaw("mounts/1/at", .text("/sub/"), "a path is not canonical"),
    Flaw("mounts/1/at", .text(""), "a path is empty"),
    Flaw("nodes", .list([]), "the directory / is not listed"),
    Flaw("nodes/1/path", .text("/a/../b"), "a path is not canonical"),
    Flaw("nodes/1/path", .text("/."), "a path is not canonical"),
    Flaw("nodes/1/path", .text("//a"), "a path is not canonical"),
    Flaw("nodes/1/path", .text("/a\u{0}b"), "a path holds a zero byte"),
    Flaw("nodes/1/path", text(4097), "a path has more than 4096 bytes"),
    Flaw("nodes/1/path", .text("/z"), "the directory of a path is not listed: /a/video0"),
    Flaw("nodes/3/path", .text("/a/video0"), "a path is listed twice: /a/video0"),
    Flaw(
      "nodes/3/path", .text("/a/video0/x"), "the directory of a path is not listed: /a/video0/x"),
    Flaw("nodes/1/mode", .text("10000"), "a mode is up to 7777 in octal"),
    Flaw("nodes/1/mode", .text("0789"), "a mode is up to 7777 in octal"),
    Flaw("nodes/1/mode", .text("+7"), "a mode is up to 7777 in octal"),
    Flaw("nodes/1/mode", .text(""), "a mode is up to 7777 in octal"),
    Flaw("nodes/2/rdev", nil, "a device has a device number"),
    Flaw("nodes/2/rdev", .list([.number(1)]), ""),
    Flaw(
      "nodes/2/rdev", .list([.number(1), .number(2), .number(3)]), "a device number has two parts"),
    Flaw("nodes/2/uid", .number(4_294_967_296), ""),
    Flaw("nodes/2/uid", .number(-1), ""),
    Flaw(
      "nodes/2/acl/0", .list([.text("x"), .null, .number(1)]), "the tag of an entry is u, g, m or o"
    ),
    Flaw("nodes/2/acl/0", .list([.text("u"), .null, .number(8)]), "permissions are 0 to 7"),
    Flaw(
      "nodes/2/acl/0", .list([.text("m"), .number(1), .number(7)]),
      "only users and groups have an id"),
    Flaw("nodes/2/acl/0", .list([.text("u"), .null]), ""),
    Flaw(
      "nodes/2/acl/0", .list([.text("u"), .null, .number(1), .null]), "an entry has three parts"),
    Flaw("nodes/2/acl", .list(Array(repeating: .null, count: 8193)), "more than 8192 elements"),
    Flaw("nodes/3/target", nil, "a symbolic link has a target"),
    Flaw("nodes/3/target", .text(""), "a path is empty"),
    Flaw("nodes/4/flags", .list([.text("sticky")]), ""),
    Flaw("nodes/4/type", .text("door"), ""),
    Flaw(
      "subject/groups", .list(Array(repeating: .number(1), count: 65537)),
      "more than 65536 elements"),
    Flaw("subject/cap_effective", .list([.text("dac_overide")]), "unknown capability dac_overide"),
    Flaw(
      "subject/cap_effective", .list([.number(1)]), "a capability below 41 is written by its name"),
    Flaw(
      "subject/cap_effective", .list([.number(64)]), "a capability below 41 is written by its name"),
    Flaw(
      "subject/userns/uid_map/0", .list([.number(4_294_967_295), .number(0), .number(1)]),
      "a range goes beyond the last id"),
    Flaw(
      "subject/userns/uid_map/0", .list([.number(0), .number(2), .number(4_294_967_295)]),
      "a range goes beyond the last id"),
    Flaw("subject/userns/uid_map/0", .list([.number(0), .number(2)]), ""),
    Flaw(
      "subject/userns/uid_map/0", .list([.number(0), .number(2), .number(1), .number(1)]),
      "a range has three parts"),
    Flaw(
      "subject/devcg/exceptions/0/access", .text("rx"), "the letters of an exception are r, w and m"
    ),
    Flaw("subject/devcg/exceptions/0/type", .text("a"), "the type of an exception is c or b"),
    Flaw("subject/devcg/exceptions/0/major", nil, ""),
    Flaw("subject/devcg/exceptions/0/minor", nil, ""),
    Flaw("sysctl/protected_symlinks", .number(2), "protected_symlinks is 0 or 1, not 2"),
    Flaw("sysctl/protected_regular", .number(3), "protected_regular is 0, 1 or 2, not 3"),
    Flaw("sysctl/protected_fifos", .number(-1), "protected_fifos is 0, 1 or 2, not -1"),
    Flaw(
      "request/flags", .list([.text("NOFOLLOW")]),
      "exactly one of RDONLY WRONLY RDWR ACCMODE3 PATH is needed"),
    Flaw(
      "request/flags", .list([.text("RDWR"), .text("PATH")]),
      "exactly one of RDONLY WRONLY RDWR ACCMODE3 PATH is needed"),
    Flaw("request/flags", .list([.text("CREAT")]), ""),
    Flaw(
      "request/flags", .list([.text("RDONLY"), .text("EXCL")]), "EXCL is only taken with CREAT"),
    Flaw(
      "request/flags", .list([.text("RDONLY"), .text("CREAT"), .text("DIRECTORY")]),
      "CREAT and DIRECTORY exclude each other"),
    Flaw("request/path", .text("dev/video0"), "the path of a request is absolute"),
    Flaw("request/path", text(65537), "a path has more than 65536 bytes"),
    Flaw("request/op", .text("stat"), "a request is open or access"),
    Flaw(
      "request",
      .object([
        "op": .text("access"), "path": .text("/"), "mode": .text("q"), "eaccess": .bool(true),
        "nofollow": .bool(true),
      ]), "the letters of a mode are r, w and x"),
    Flaw("id", .text("17"), ""),
    Flaw("subject/fsuid", nil, ""),
    Flaw("mounts/0/nodev", nil, ""),
  ])
  func `a flaw is told in one line with its place`(flaw: Flaw) throws {
    var tree = try JSON.decode(Tree.self, fullCaseText)
    tree.set(flaw.place.split(separator: "/"), flaw.value)
    let text = try JSON.encode(tree)
    do {
      _ = try JSON.decode(AccessCase.self, text)
      Issue.record("it was accepted")
    } catch let error as DecodingError {
      let context =
        switch error {
        case .dataCorrupted(let context), .keyNotFound(_, let context),
          .typeMismatch(_, let context), .valueNotFound(_, let context):
          context
        @unknown default: throw error
        }
      if !flaw.message.isEmpty { #expect(context.debugDescription == flaw.message) }
      #expect(!context.debugDescription.isEmpty && !context.debugDescription.contains("\n"))
    }
  }

  @Test(arguments: ["subject/devcg", "subject/userns", "mounts/1/idmap", "mounts/1/fs_userns"])
  func `what is left out is not known, and null is none`(place: String) throws {
    var tree = try JSON.decode(Tree.self, fullCaseText)
    tree.set(place.split(separator: "/"), .null)
    let none = try JSON.decode(AccessCase.self, JSON.encode(tree))
    #expect(none.subject.unobserved == [] && none.mounts[1].unobserved == [])
    tree.set(place.split(separator: "/"), nil)
    let unknown = try JSON.decode(AccessCase.self, JSON.encode(tree))
    switch place {
    case "subject/devcg": #expect(unknown.subject.unobserved == [.deviceCgroup])
    case "subject/userns": #expect(unknown.subject.unobserved == [.userns])
    default: #expect(unknown.mounts[1].unobserved == [.idmap])
    }
    #expect(try JSON.decode(AccessCase.self, JSON.encode(unknown)) == unknown)
  }

  @Test func `a device list that is left out lets nobody in`() throws {
    let text = fullCaseText.replacing(
      #""/a/./l","flags":["RDWR","NOFOLLOW"]"#, with: #""/a/video0","flags":["RDONLY"]"#)
    var tree = try JSON.decode(Tree.self, text)
    tree.set(["subject", "devcg", "exceptions"], .list([]))
    func outcome() throws -> Outcome {
      try JSON.decode(AccessCase.self, JSON.encode(tree)).decide().outcome
    }
    #expect(try outcome() == .denied(errno: .notPermitted))
    tree.set(["subject", "devcg"], nil)
    #expect(try outcome() == .undecided(reason: "\(MissingFact.deviceCgroup.reason): /a/video0"))
    tree.set(["subject", "devcg"], .null)
    #expect(try outcome() == .granted)
  }

  @Test func `names that only look the same are two`() throws {
    var value = try JSON.decode(AccessCase.self, fullCaseText)
    for (name, mode) in [("\u{e9}", UInt16(0o444)), ("e\u{301}", 0o000)] {
      value.nodes.append(Node(path: "/a/" + name, type: .regular, mode: mode, uid: 0, gid: 0))
    }
    let copy = try JSON.decode(AccessCase.self, JSON.encode(value))
    let grants = ["/a/\u{e9}", "/a/e\u{301}"].map { path in
      PreparedCase(copy).verdict(for: .open(path: path, flags: [.readOnly])).isGranted
    }
    #expect(grants == [true, false])
    #expect(copy.nodes.count == value.nodes.count)
  }

  @Test func `cutting a case short anywhere throws`() throws {
    let text = try JSON.normalized(fullCaseText)
    for count in stride(from: 0, to: text.utf8.count - 1, by: 7) {
      let part = String(decoding: text.utf8.prefix(count), as: UTF8.self)
      #expect(throws: DecodingError.self) { try JSON.decode(AccessCase.self, part) }
    }
  }
}

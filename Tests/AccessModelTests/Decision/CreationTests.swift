import AccessModel
import Testing

/// open(2) with `O_CREAT`.
struct CreationTests {
  /// A request for a new file in `/a`, which the subject owns unless the closure changes that.
  private static func row(
    _ name: String, _ expected: String, _ build: @escaping @Sendable (inout Scene) -> Void
  ) -> SceneRow {
    SceneRow(name, expected) {
      $0.change("/a") { $0.uid = 1000 }
      $0.open("/a/new", [.writeOnly, .create])
      build(&$0)
    }
  }

  static let missing = [
    row("by the owner of the directory", "granted mode.owner /a") { _ in },
    row("write without search", "denied 13 mode.owner /a") {
      $0.change("/a") { $0.mode = 0o600 }
    },
    row("search without write", "denied 13 mode.owner /a") { $0.change("/a") { $0.mode = 0o555 } },
    row("for reading alone", "granted mode.owner /a") {
      $0.open("/a/new", [.readOnly, .create, .exclusive])
    },
    row("with O_PATH nothing is created", "denied 2 walk.noent /a/new") {
      $0.open("/a/new", [.path, .create])
    },
    row("a final slash", "denied 21 open.isdir /a") { $0.open("/a/new/", [.writeOnly, .create]) },
    row("a missing directory", "denied 2 walk.noent /a/none") {
      $0.open("/a/none/new", [.writeOnly, .create])
    },
    row("behind a dangling link", "granted mode.owner /a") {
      $0.add("/l", .symbolicLink, 0o777, target: "a/new")
      $0.open("/l", [.writeOnly, .create])
    },
    row("a dangling link with O_EXCL", "denied 17 open.exists /l") {
      $0.add("/l", .symbolicLink, 0o777, target: "a/new")
      $0.open("/l", [.writeOnly, .create, .exclusive])
    },
    row("a name that is too long", "denied 36 walk.name_too_long /a/\(longName)") {
      $0.open("/a/\(longName)", [.writeOnly, .create])
    },
    row("a read-only mount comes before the mode", "denied 30 mount.readonly /a") {
      $0.value.mounts[0].readOnly = true
      $0.change("/a") { $0.mode = 0o555 }
    },
    row("a read-only filesystem", "denied 30 sb.readonly /a") {
      $0.value.mounts[0].superblockReadOnly = true
    },
    row("an immutable directory", "denied 1 inode.immutable /a") {
      $0.change("/a") { $0.flags = [.immutable] }
    },
    row("an append-only directory", "granted mode.owner /a") {
      $0.change("/a") { $0.flags = [.append] }
    },
    row("a filesystem of kernel files", "denied 13 create.unsupported /a") {
      $0.value.mounts[0].fstype = "sysfs"
    },
    row(
      "the names of processes",
      "undecided the filesystem has permission rules of its own: / is on proc"
    ) {
      $0.value.mounts[0].fstype = "proc"
      $0.change("/a") { $0.mode = 0o777 }
    },
    row("a mount that maps the directory's owner to the subject", "granted mode.owner /a") {
      $0.value.mounts[0].idmap = idmap(inside: 7, outside: 1000)
      $0.change("/a") { node in
        node.uid = 7
        node.gid = 7
      }
    },
    row("a mount that has no number for the subject", "denied 75 create.unmapped_id /a") {
      $0.value.mounts[0].idmap = idmap(inside: 0, outside: 0)
      $0.change("/") { $0.mode = 0o777 }
      $0.change("/a") { node in
        node.uid = 0
        node.mode = 0o777
      }
    },
    row("a user namespace's filesystem without the subject", "denied 75 create.unmapped_id /a") {
      $0.value.mounts[0].filesystemNamespace = idmap(inside: 0, outside: 1001)
      $0.change("/a") { $0.mode = 0o777 }
    },
    row(
      "contents that were not observed",
      "undecided the contents of the directory were not "
        + "observed: /a"
    ) {
      $0.change("/a") { $0.unobserved = [.contents] }
    },
    row(
      "maps that were not observed",
      "undecided the maps of the id-mapped mount were not "
        + "observed: /a"
    ) {
      $0.value.mounts[0].unobserved = [.idmap]
      $0.change("/") { $0.mode = 0o777 }
      $0.change("/a") { $0.mode = 0o777 }
    },
  ]

  static let existing = [
    row("a file", "granted mode.owner /a/new") {
      $0.add("/a/new", .regular, 0o600, uid: 1000)
    },
    row("a file with O_EXCL", "denied 17 open.exists /a/new") {
      $0.add("/a/new", .regular, 0o600, uid: 1000)
      $0.open("/a/new", [.writeOnly, .create, .exclusive])
    },
    row("a file on a read-only mount with O_EXCL", "denied 17 open.exists /a/new") {
      $0.add("/a/new", .regular, 0o600, uid: 1000)
      $0.value.mounts[0].readOnly = true
      $0.open("/a/new", [.writeOnly, .create, .exclusive])
    },
    row("a directory", "denied 21 open.isdir /a") { $0.open("/a", [.readOnly, .create]) },
    row("the root", "denied 21 open.isdir /") { $0.open("/", [.readOnly, .create]) },
    row("the root with O_EXCL", "denied 17 open.exists /") {
      $0.open("/", [.readOnly, .create, .exclusive])
    },
    sticky("another's file where it is protected", "denied 13 create.sticky /t/f") { _ in },
    sticky("the same without O_CREAT", "granted mode.other /t/f") {
      $0.open("/t/f", [.writeOnly])
    },
    sticky("another's file where nothing is protected", "granted mode.other /t/f") {
      $0.value.protectedRegular = 0
    },
    sticky("the own file", "granted mode.owner /t/f") { $0.change("/t/f") { $0.uid = 1000 } },
    sticky("the file of the directory's owner", "granted mode.other /t/f") {
      $0.change("/t/f") { $0.uid = 0 }
    },
    sticky("a directory for a group, level 1", "granted mode.other /t/f") {
      $0.change("/t") { $0.mode = 0o1775 }
    },
    sticky("a directory for a group, level 2", "denied 13 create.sticky /t/f") {
      $0.change("/t") { $0.mode = 0o1775 }
      $0.value.protectedRegular = 2
    },
    sticky("a capability does not help", "denied 13 create.sticky /t/f") {
      $0.value.subject.effective = [.overrideFileAccess, .actAsFileOwner]
    },
    sticky("another's device, whatever is protected", "denied 13 create.sticky /t/f") {
      $0.value.protectedRegular = 0
      $0.change("/t/f") { node in
        node.type = .characterDevice
        node.rdev = DeviceNumber(major: 1, minor: 3)
      }
    },
    sticky(
      "another's file, and the setting is unknown",
      "undecided what fs.protected_* restricts in shared directories was not observed: /t/f"
    ) {
      $0.value.protectedRegular = 0
      $0.value.unobserved = [.protectedRegular]
    },
    sticky("the own file, whatever the setting is", "granted mode.owner /t/f") {
      $0.value.unobserved = [.protectedRegular]
      $0.change("/t/f") { $0.uid = 1000 }
    },
    sticky("another's fifo, and the setting of regular files is unknown", "granted mode.other /t/f")
    {
      $0.value.unobserved = [.protectedRegular]
      $0.change("/t/f") { $0.type = .fifo }
    },
    sticky("another's fifo goes by the other setting", "granted mode.other /t/f") {
      $0.change("/t/f") { $0.type = .fifo }
    },
    sticky("another's fifo that is protected", "denied 13 create.sticky /t/f") {
      $0.change("/t/f") { $0.type = .fifo }
      $0.value.protectedFifos = 1
    },
  ]

  /// A file of user 1001 that all users may write, in a directory such as `/tmp`.
  private static func sticky(
    _ name: String, _ expected: String, _ build: @escaping @Sendable (inout Scene) -> Void
  ) -> SceneRow {
    SceneRow(name, expected) {
      $0.value.protectedRegular = 1
      $0.add("/t", .directory, 0o1777)
      $0.add("/t/f", .regular, 0o666, uid: 1001)
      $0.open("/t/f", [.writeOnly, .create])
      build(&$0)
    }
  }

  private static let longName = String(repeating: "n", count: 256)

  private static func idmap(inside: UInt32, outside: UInt32) -> IDMapping {
    let map = IDMap([IDMap.Range(inside: inside, outside: outside, length: 1)])
    return IDMapping(users: map, groups: map)
  }

  @Test(arguments: missing)
  func `a missing name is created as the directory allows`(row: SceneRow) { row.check() }

  @Test(arguments: existing)
  func `what exists is opened, unless the flags or a sticky directory forbid`(row: SceneRow) {
    row.check()
  }

  @Test
  func `the last step is the creation, with what the directory needs`() throws {
    var scene = Scene()
    scene.change("/a") { $0.uid = 1000 }
    scene.open("/a/new", [.writeOnly, .create])
    let step = try #require(scene.value.decide().steps.last)
    #expect(step.action == .create(name: "new"))
    #expect(step.path == "/a")
    #expect(step.wanted == [.write, .search])
    #expect(PreparedCase(scene.value).verdict().wanted == [.write, .search])
    #expect(scene.value.creationDirectory == "/a")
    scene.open("/a/new", [.writeOnly])
    #expect(scene.value.creationDirectory == nil)
  }

  @Test(arguments: [
    (Question.Purpose.create, FileType.directory, ["WRONLY", "CREAT", "EXCL"], "/x/new-file"),
    (.create, .regular, ["WRONLY", "NONBLOCK", "CREAT"], "/x"),
    (.list, .directory, ["RDONLY", "NONBLOCK", "DIRECTORY"], "/x"),
  ])
  func `a purpose has its request`(
    purpose: Question.Purpose, type: FileType, flags: [String], path: String
  ) {
    let request = Question(.path("/x"), purpose: purpose).request(for: "/x", type: type)
    #expect(request == .open(path: path, flags: Set(flags.compactMap(OpenFlag.init(rawValue:)))))
  }
}

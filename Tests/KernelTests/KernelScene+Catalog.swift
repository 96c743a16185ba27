import AccessModel

extension KernelScene {
  static let all = modes + lists + capabilities + mounts + walks

  private static let user = Subject(uid: 1000, gid: 1000)
  private static let member = Subject(uid: 1000, gid: 1000, groups: [44])
  private static let video: (UInt32, UInt32) = (0, 44)

  private static func list(
    owner: Permissions = [.read, .write], users: [(UInt32, Permissions)] = [],
    group: Permissions = [], groups: [(UInt32, Permissions)] = [], mask: Permissions,
    other: Permissions = []
  ) -> [ACLEntry] {
    [ACLEntry(.user, nil, owner)] + users.map { ACLEntry(.user, $0.0, $0.1) }
      + [ACLEntry(.group, nil, group)] + groups.map { ACLEntry(.group, $0.0, $0.1) }
      + [ACLEntry(.mask, nil, mask), ACLEntry(.other, nil, other)]
  }

  private static let modes = [
    KernelScene(
      "a user outside the group", device(mode: 0o660, owner: video, subject: user),
      .permissionDenied),
    KernelScene("a member of the group", device(mode: 0o660, owner: video, subject: member), 0),
    KernelScene(
      "a member of a group that may only read, reading",
      device(mode: 0o640, owner: video, subject: member, flags: [.readOnly]), 0),
    KernelScene(
      "a member of a group that may only read, writing",
      device(mode: 0o640, owner: video, subject: member), .permissionDenied),
    KernelScene(
      "an owner whom the mode gives less than the others",
      device(mode: 0o066, owner: (1000, 44), subject: member), .permissionDenied),
    KernelScene(
      "a member of a group that the mode gives less than the others",
      device(mode: 0o606, owner: video, subject: member), .permissionDenied),
    KernelScene(
      "the effective user owns it, the filesystem user does not",
      device(mode: 0o600, owner: (1000, 44), subject: user).with { $0.subject.fsuid = 1001 },
      .permissionDenied),
    KernelScene(
      "the user 0 without capabilities on the device of another",
      device(mode: 0o600, owner: (1000, 44), subject: Subject(uid: 0, gid: 0)), .permissionDenied),
    KernelScene(
      "no driver behind the node, which only the driver's stage notices",
      device(mode: 0o660, owner: video, subject: member).with {
        $0.nodes[2].rdev = DeviceNumber(major: 1, minor: 200)
      }, .noSuchAddress),
  ]

  private static let lists = [
    KernelScene(
      "an entry for the user, as a seat gives it",
      device(
        mode: 0o660, owner: video,
        acl: list(users: [(1000, [.read, .write])], mask: [.read, .write]),
        subject: user), 0),
    KernelScene(
      "an entry for the user that the mask takes back",
      device(
        mode: 0o640, owner: video, acl: list(users: [(1000, [.read, .write])], mask: [.read]),
        subject: user), .permissionDenied),
    KernelScene(
      "an entry for the user and a mask of nothing: others decide",
      device(
        mode: 0o606, owner: video,
        acl: list(users: [(1000, [])], mask: [], other: [.read, .write]), subject: user), 0),
    KernelScene(
      "an entry for the user with nothing, before a group with everything",
      device(
        mode: 0o660, owner: video,
        acl: list(users: [(1000, [])], group: [.read, .write], mask: [.read, .write]),
        subject: member), .permissionDenied),
    KernelScene(
      "one group may read and another write: not united",
      device(
        mode: 0o660, owner: video,
        acl: list(group: [.read], groups: [(5, [.write])], mask: [.read, .write]),
        subject: Subject(uid: 1000, gid: 1000, groups: [5, 44])), .permissionDenied),
    KernelScene(
      "a second group has what the first lacks",
      device(
        mode: 0o660, owner: video,
        acl: list(group: [.read], groups: [(5, [.read, .write])], mask: [.read, .write]),
        subject: Subject(uid: 1000, gid: 1000, groups: [5, 44])), 0),
    KernelScene(
      "two entries for the same user: the first",
      device(
        mode: 0o660, owner: video,
        acl: list(users: [(1000, []), (1000, [.read, .write])], mask: [.read, .write]),
        subject: user), .permissionDenied),
  ]

  private static let namespace = IDMapping(
    users: IDMap([IDMap.Range(inside: 0, outside: 1000, length: 1)]),
    groups: IDMap([IDMap.Range(inside: 0, outside: 1000, length: 1)]))

  private static let capabilities = [
    KernelScene(
      "CAP_DAC_OVERRIDE",
      device(mode: 0o000, owner: video, subject: user.with([.overrideFileAccess])), 0),
    KernelScene(
      "CAP_DAC_READ_SEARCH, reading",
      device(
        mode: 0o000, owner: video, subject: user.with([.readAndSearch]), flags: [.readOnly]), 0),
    KernelScene(
      "CAP_DAC_READ_SEARCH, writing",
      device(mode: 0o000, owner: video, subject: user.with([.readAndSearch])), .permissionDenied),
    KernelScene(
      "CAP_DAC_OVERRIDE that is permitted and not effective",
      device(mode: 0o000, owner: video, subject: user.with([.overrideFileAccess])).with {
        $0.subject.effective = []
      }, .permissionDenied),
    KernelScene(
      "CAP_DAC_OVERRIDE in a user namespace that does not map the owner",
      device(mode: 0o000, owner: video, subject: user.with([.overrideFileAccess])).with {
        $0.subject.userNamespace = namespace
      }, .permissionDenied),
    KernelScene(
      "CAP_DAC_OVERRIDE in a user namespace that maps owner and group",
      device(
        mode: 0o000, owner: (1000, 1000),
        subject: Subject(uid: 1001, gid: 1).with([.overrideFileAccess])
      ).with {
        $0.subject.userNamespace = namespace
      }, 0),
    KernelScene(
      "O_NOATIME on what belongs to another",
      device(mode: 0o666, owner: video, subject: user, flags: [.readOnly, .noAccessTime]),
      .notPermitted),
    KernelScene(
      "O_NOATIME with CAP_FOWNER",
      device(
        mode: 0o666, owner: video, subject: user.with([.actAsFileOwner]),
        flags: [.readOnly, .noAccessTime]), 0),
  ]

  private static func mount(_ change: (inout Mount) -> Void) -> Mount {
    var mount = Mount(at: "/dev", fstype: "tmpfs")
    change(&mount)
    return mount
  }

  private static let mounts = [
    KernelScene(
      "nodev, even with every capability",
      device(
        mode: 0o666, owner: video, subject: Subject(uid: 0, gid: 0).with([.overrideFileAccess]),
        mount: mount { $0.nodev = true }), .permissionDenied),
    KernelScene(
      "nodev, which faccessat2 does not see",
      device(mode: 0o666, owner: video, subject: user, mount: mount { $0.nodev = true }).with {
        $0.request = .access(
          path: "/dev/video0", mode: [.read, .write], effective: true, noFollow: false)
      }, 0),
    KernelScene(
      "a device on a read-only mount, writing",
      device(mode: 0o666, owner: video, subject: user, mount: mount { $0.readOnly = true }), 0),
    KernelScene(
      "a device on a read-only filesystem, writing",
      device(
        mode: 0o666, owner: video, subject: user, mount: mount { $0.superblockReadOnly = true }), 0),
    KernelScene(
      "a file on a read-only mount, writing",
      device(mode: 0o666, owner: video, subject: user, mount: mount { $0.readOnly = true }).with {
        $0.nodes[2].type = .regular
        $0.nodes[2].rdev = nil
      }, .readOnlyFilesystem),
    KernelScene(
      "an id-mapped mount that makes the user the owner",
      device(
        mode: 0o600, owner: (7, 7), subject: user,
        mount: mount {
          $0.idmap = IDMapping(
            users: IDMap([IDMap.Range(inside: 7, outside: 1000, length: 1)]),
            groups: IDMap([IDMap.Range(inside: 7, outside: 1000, length: 1)]))
        }), 0),
    KernelScene(
      "an id-mapped mount without the owner, writing with every capability",
      device(
        mode: 0o666, owner: (8, 8), subject: user.with([.overrideFileAccess]),
        mount: mount {
          $0.idmap = IDMapping(
            users: IDMap([IDMap.Range(inside: 7, outside: 1000, length: 1)]),
            groups: IDMap([IDMap.Range(inside: 7, outside: 1000, length: 1)]))
        }), .permissionDenied),
  ]

  private static let walks = [
    KernelScene(
      "a directory that may not be searched",
      device(mode: 0o666, owner: video, subject: user).with { $0.nodes[1].mode = 0o744 },
      .permissionDenied),
    KernelScene("a link of another in a sticky directory", stickyLink, .permissionDenied),
    KernelScene(
      "an own link in a sticky directory", stickyLink.with { $0.nodes[4].uid = 1000 }, 0),
    KernelScene(
      "nothing at that path",
      device(mode: 0o666, owner: video, subject: user).with {
        $0.request = .open(path: "/dev/video1", flags: [.readWrite])
      }, .noSuchFile),
    KernelScene(
      "a device as a directory",
      device(mode: 0o666, owner: video, subject: user).with {
        $0.request = .open(path: "/dev/video0/", flags: [.readWrite])
      }, .notDirectory),
    KernelScene(
      "a directory for writing",
      device(mode: 0o666, owner: video, subject: user).with {
        $0.request = .open(path: "/dev", flags: [.readWrite])
      }, .isDirectory),
    KernelScene(
      "O_PATH on what may not be opened",
      device(mode: 0o000, owner: video, subject: user, flags: [.path]), 0),
  ]
}

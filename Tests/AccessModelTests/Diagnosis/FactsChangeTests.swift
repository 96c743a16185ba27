import Testing

@testable import AccessModel

/// How setfacl(1), chmod(1), chown(1), udev and a new login change the facts.
@Suite struct `What a change does to the facts` {
  private static let camera = "/dev/video0"

  private func after(
    _ change: FactsChange, _ prepare: (inout Fixtures) -> Void = { _ in }
  ) -> AccessFacts? {
    change.applied(to: Fixtures.camera.with(prepare).facts)
  }

  private func node(
    _ change: FactsChange, _ prepare: (inout Fixtures) -> Void = { _ in }
  ) -> Node? {
    after(change, prepare)?.access.nodes.first { $0.path == Self.camera }
  }

  /// The mask is the union of the entries that it limits: named users, the owning group and named
  /// groups.
  @Test(arguments: [
    ([ACLEntry(.user, 7, .read)], UInt16(0o600), UInt16(0o640)),
    ([ACLEntry(.user, 7, .read)], 0o620, 0o660),
    ([ACLEntry(.group, 7, .write)], 0o700, 0o720),
    ([ACLEntry(.user, 7, .read), ACLEntry(.group, 8, .execute)], 0o600, 0o650),
    ([ACLEntry(.user, 7, .read), ACLEntry(.mask, nil, .write)], 0o664, 0o624),
    ([ACLEntry(.user, nil, .read)], 0o660, 0o460),
  ])
  func `an entry has the mask computed anew, unless it is given`(
    entries: [ACLEntry], mode: UInt16, expected: UInt16
  ) throws {
    let node = try #require(
      node(.setEntries(path: Self.camera, entries: entries)) { $0.node { $0.mode = mode } })
    #expect(node.mode == expected)
    let isNamed = entries.contains { $0.id != nil }
    #expect((node.acl != nil) == isNamed)
    for entry in entries where isNamed { #expect(node.acl?.contains(entry) == true) }
    let places = node.acl?.map(\.place) ?? []
    #expect(places == places.sorted())
  }

  @Test func `a second entry of a user takes the place of the first`() throws {
    let entry = ACLEntry(.user, 7, .write)
    let node = try #require(
      node(.setEntries(path: Self.camera, entries: [entry])) {
        $0.list([ACLEntry(.user, 7, .read)], group: .read, mask: [.read, .write])
      })
    #expect(node.acl?.filter { $0.tag == .user && $0.id != nil } == [entry])
    #expect(node.mode == 0o660)
  }

  @Test
  func `a whole list takes the place of the one before, with its mask or with one of its own`()
    throws
  {
    let list = [
      ACLEntry(.user, nil, .read), ACLEntry(.user, 7, .read), ACLEntry(.group, nil, []),
      ACLEntry(.other, nil, []),
    ]
    let whole = try #require(node(.replaceList(path: Self.camera, entries: list)))
    #expect(whole.mode == 0o440)
    let bounded = try #require(
      node(
        .replaceList(path: Self.camera, entries: list + [ACLEntry(.mask, nil, .execute)])))
    #expect(bounded.mode == 0o410)
  }

  @Test func `modes change the mask of a list, and the group's entry where there is no list`()
    throws
  {
    let listed = try #require(
      node(.setMode(path: Self.camera, mode: 0o604)) {
        $0.list([ACLEntry(.user, 7, [.read, .write])])
      })
    #expect(listed.acl?.first { $0.tag == .mask }?.permissions == [])
    #expect(listed.acl?.first { $0.tag == .group }?.permissions == [.read, .write])
    #expect(listed.acl?.first { $0.tag == .other }?.permissions == .read)
    #expect(node(.addMode(path: Self.camera, bits: 0o004))?.mode == 0o664)
  }

  @Test func `an owner that is not given stays`() {
    let user = node(.changeOwner(path: Self.camera, user: 7, group: nil))
    #expect(user?.uid == 7 && user?.gid == Fixtures.video)
    let group = node(.changeOwner(path: Self.camera, user: nil, group: 7))
    #expect(group?.uid == 0 && group?.gid == 7)
  }

  @Test(arguments: [Node.Flag.immutable, .append])
  func `a device has no flags, and nothing is changed that has one`(flag: Node.Flag) {
    #expect(after(.setFlag(path: Self.camera, flag: flag)) == nil)
    #expect(
      after(.setMode(path: Self.camera, mode: 0o666)) { $0.node { $0.flags = [flag] } } == nil)
    let cleared = after(.clearFlag(path: "/dev", flag: flag)) {
      $0.node("/dev") { $0.flags = [flag] }
    }
    #expect(cleared?.access.nodes.first { $0.path == "/dev" }?.flags == [])
  }

  /// Only the user of the active session keeps an entry.
  @Test func `an event gives the mode and the group of a rule, and the active user an entry`()
    throws
  {
    let event = FactsChange.deviceEvent(
      path: Self.camera, mode: 0o606, group: 7, isTagged: false)
    let tagged = try #require(
      node(event) { $0.list([ACLEntry(.user, Fixtures.alice, [.read, .write])]) })
    #expect(tagged.gid == 7)
    #expect(tagged.mode & 0o7 == 6)
    let users = tagged.acl?.filter { $0.tag == .user }.compactMap(\.id)
    #expect(users == [Fixtures.bob])
    let untagged = try #require(node(event) { $0.untag() })
    #expect(untagged.mode == 0o606 && untagged.acl == nil)
    #expect(after(.deviceEvent(path: "/dev/null", mode: 0o666, group: nil, isTagged: true)) == nil)
  }

  @Test func `a group that becomes the primary one leaves the one before as another`() throws {
    let change = FactsChange.addGroups([7, 8], isPrimary: true)
    let subject = try #require(after(change) { $0.facts.access.subject.groups = [] }).access.subject
    #expect(subject.fsgid == 7 && subject.egid == 7)
    #expect(Set(subject.groups).isSuperset(of: [Fixtures.alice, 8]))
    let others = try #require(after(.addGroups([7], isPrimary: false))).access.subject
    #expect(others.fsgid == Fixtures.alice && others.groups == [Fixtures.alice, 7])
  }

  /// A process can use setfsuid(2) and setfsgid(2) only with IDs that it already has.
  @Test func `nobody takes the identifiers of another`() throws {
    let prepare = { (fixtures: inout Fixtures) in
      fixtures.facts.access.subject.suid = 7
      fixtures.facts.access.subject.sgid = 8
    }
    let subject = try #require(after(.takeIDs(user: 7, group: 8), prepare)).access.subject
    #expect(subject.fsuid == 7 && subject.fsgid == 8)
    #expect(after(.takeIDs(user: 8, group: 8), prepare) == nil)
    #expect(after(.takeIDs(user: 7, group: 7), prepare) == nil)
    #expect(after(.raise([.overrideFileAccess])) == nil)
  }

  @Test func `a device list gets the device, and no more`() throws {
    let number = DeviceNumber(major: 81, minor: 0)
    let change = FactsChange.allowDevice(number, isBlock: false, permissions: .read)
    let list = try #require(
      after(change) {
        $0.facts.access.subject.deviceCgroup = DeviceCgroup(defaultBehavior: .deny, exceptions: [])
      }
    ).access.subject.deviceCgroup
    let exception = DeviceCgroup.Exception(
      isBlock: false, major: 81, minor: 0, read: true, write: false, makeNode: false)
    #expect(list == DeviceCgroup(defaultBehavior: .deny, exceptions: [exception]))
    #expect(after(change) == nil)
    #expect(
      after(change) {
        $0.facts.access.subject.deviceCgroup = DeviceCgroup(defaultBehavior: .allow, exceptions: [])
      }
        == nil)
  }

  @Test func `what is removed takes along what is in it, and nothing beside it`() {
    let paths = after(.remove(path: "/dev")) { $0.add("/device", .regular) }?.access.nodes.map(
      \.path)
    #expect(paths == ["/", "/device"])
    let new = Node(path: Self.camera, type: .regular, mode: 0, uid: 0, gid: 0)
    #expect(after(.appear(new))?.access.nodes.filter { $0.path == Self.camera } == [new])
  }

  /// The kernel refuses each of these changes even to root.
  @Test func `nothing is changed on what is mounted read-only`() {
    let readOnly = { (fixtures: inout Fixtures) in fixtures.facts.access.mounts[1].readOnly = true }
    #expect(after(.setMode(path: Self.camera, mode: 0o666), readOnly) == nil)
    #expect(after(.clearFlag(path: "/dev", flag: .append), readOnly) == nil)
    let remounted = after(.remount(place: "/dev", option: .readWrite), readOnly)
    #expect(remounted?.access.mounts[1].readOnly == false)
    #expect(after(.remount(place: "/dev", option: .readWrite)) == nil)
    #expect(after(.remount(place: "/srv", option: .readWrite), readOnly) == nil)
  }

  /// mount(8) may list mounts in any order, and the last mount at a mount point covers the others.
  @Test func `a path is on the deepest mount, and on the last of several at one place`() {
    var access = Fixtures.camera.facts.access
    access.mounts = ["/dev/shm", "/", "/dev", "/dev"].map { Mount(at: $0, fstype: "tmpfs") }
    #expect(access.mountIndex(of: "/dev/shm/x") == 0)
    #expect(access.mountIndex(of: "/dev/shmem") == 3)
    #expect(access.mountIndex(of: "/device") == 1)
  }
}

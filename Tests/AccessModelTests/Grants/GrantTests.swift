import AccessModel
import Testing

@Suite struct `Grants` {
  static let inode = GrantedObject.Inode(
    filesystem: 5, number: 7, device: DeviceNumber(major: 81, minor: 0))

  /// The number of random scenes; each involves several hundred decisions.
  static let rounds = UInt64(Environment.number("DEVACCESS_GRANT_SCENES") ?? 60)

  private static func object(_ list: AccessList) -> GrantedObject {
    GrantedObject(
      path: GrantScene.path, inode: inode, conditions: nil, kind: "camera", current: list)
  }

  /// A grant of read access.
  private static let reading = AccessGrant(
    id: "one", user: 1000, userName: nil, permissions: .read, kept: [], giver: 0, start: 0,
    end: nil, deadline: nil, boot: "")

  @Test func `change nothing for others, and leave the list as it was, in whatever order they end`()
  {
    for seed in 0..<Self.rounds {
      var scene = GrantScene(seed: seed)
      let start = scene.list
      let answers = scene.answers()
      var object = Self.object(start)
      var isOwner = Set<UInt32>()
      for number in 0..<6 {
        let state = InodeGrants(scene.list, records: [object])
        let given = object.grants.map(\.id)
        if number < 3 || given.isEmpty {
          let user = scene.generator.pick(GrantScene.users)
          let grant = scene.grant(number, to: user, over: state)
          object.give(grant, on: scene.list)
          if user == scene.node.uid { isOwner.insert(user) }
        } else {
          object.end([scene.generator.pick(given)], on: scene.list)
        }
        scene.take(object.written)
        let users = object.grants.map(\.user)
        let others = scene.answers(besides: users)
        #expect(others.allSatisfy(answers.contains), "seed \(seed), step \(number)")
        for grant in object.grants where !isOwner.contains(grant.user) {
          let all = grant.permissions.union(grant.kept)
          #expect(
            scene.grants(all.intersection([.read, .write]), to: grant.user),
            "seed \(seed), step \(number), user \(grant.user)")
        }
      }
      object.end(Set(object.grants.map(\.id)), on: scene.list)
      scene.take(object.written)
      #expect(scene.list == start, "seed \(seed)")
      #expect(scene.answers() == answers, "seed \(seed)")
    }
  }

  /// A container's own node is on a tmpfs, regardless of the engine.
  @Test(arguments: [
    (nil, "devtmpfs", false), ("podman", "devtmpfs", true), ("podman", "tmpfs", false),
  ])
  func `tell where a container shows the host's own node`(
    container: String?, filesystem: String, isOfHost: Bool
  ) throws {
    let facts = Fixtures.camera.with {
      $0.facts.confinement.container = container
      $0.facts.access.mounts[1] = Mount(at: "/dev", fstype: filesystem)
    }.facts
    #expect(try GrantPlan(facts, album: nil).isOfHost == isOfHost)
  }

  @Test func `give a user exactly what was asked for beside what the user had`() {
    for seed in 0..<Self.rounds {
      var scene = GrantScene(seed: seed &+ 1 << 32)
      var object = Self.object(scene.list)
      let user = scene.generator.pick(GrantScene.users)
      guard user != scene.node.uid else { continue }
      let had = scene.kept(by: user, of: scene.list)
      let grant = scene.grant(0, to: user, over: InodeGrants(scene.list, records: [object]))
      object.give(grant, on: scene.list)
      scene.take(object.written)
      #expect(scene.kept(by: user, of: scene.list) == had.union(grant.permissions), "seed \(seed)")
      #expect(object.written.entry(ofUser: user)?.permissions == had.union(grant.permissions))
    }
  }

  @Test func `widen nothing when something else changed the list meanwhile`() {
    for seed in 0..<Self.rounds {
      var scene = GrantScene(seed: seed &+ 2 << 32)
      var object = Self.object(scene.list)
      let user = scene.generator.pick(GrantScene.users)
      let grant = scene.grant(0, to: user, over: InodeGrants(scene.list, records: [object]))
      object.give(grant, on: scene.list)
      // The other program replaces the list without regard to its previous contents.
      let foreign = scene.randomList()
      scene.take(foreign)
      let between = scene.answers(besides: [user])
      object.end([grant.id], on: foreign)
      scene.take(object.written)
      #expect(scene.answers(besides: [user]) == between, "seed \(seed)")
      let isOurs = foreign.entry(ofUser: user)?.permissions == grant.permissions.union(grant.kept)
      if !isOurs { #expect(object.written == foreign, "seed \(seed)") }
      guard isOurs, user != scene.node.uid, let own = foreign.entry(ofUser: user),
        let bare = AccessList(foreign.entries.filter { $0 != own })
      else { continue }
      let rest = scene.kept(by: user, of: bare)
      #expect(scene.kept(by: user, of: object.written).isSubset(of: rest.union(grant.kept)))
    }
  }

  /// The results of `posix_acl_valid` for lists.
  @Test(arguments: [
    ("UGO", true), ("UuuGgMO", true), ("UGMO", true), ("", false), ("UG", false), ("GO", false),
    ("UO", false), ("GUO", false), ("UOG", false), ("UUGO", false), ("UGGO", false),
    ("UGOO", false), ("UGMMO", false), ("UuGO", false), ("UGgO", false), ("UGuMO", false),
    ("UGMgO", false), ("UxGMO", false),
  ])
  func `are written in a list that the kernel takes`(form: String, isValid: Bool) {
    let entries = form.enumerated().map { index, letter in
      let tags: [Character: ACLEntry.Tag] = ["u": .user, "g": .group, "m": .mask, "o": .other]
      let id: UInt32? = letter == "x" ? .max : letter.isLowercase ? UInt32(index) : nil
      let tag = tags[Character(letter.lowercased())] ?? .user
      return ACLEntry(tag, id, .read)
    }
    #expect((AccessList(entries) != nil) == isValid)
  }

  @Test func `keep a user's other grant when one ends, and nothing more`() {
    var object = Self.object(
      AccessList([
        ACLEntry(.user, nil, [.read, .write]), ACLEntry(.group, nil, .read),
        ACLEntry(.other, nil, []),
      ])!)
    let make = { (id: String, permissions: Permissions) in
      AccessGrant(
        id: id, user: 1000, userName: nil, permissions: permissions, kept: [], giver: 0, start: 0,
        end: nil, deadline: nil, boot: "")
    }
    object.give(make("one", .write), on: object.written)
    object.give(make("two", .read), on: object.written)
    #expect(object.written.text == "u::rw-,u:1000:rw-,g::r--,m::rw-,o::---")
    object.end(["one"], on: object.written)
    #expect(object.written.text == "u::rw-,u:1000:r--,g::r--,m::r--,o::---")
    object.end(["two"], on: object.written)
    #expect(object.written.text == "u::rw-,g::r--,o::---")
  }

  @Test func `are given again after an event that took them, and leave no mask`() {
    let bare = AccessList([
      ACLEntry(.user, nil, [.read, .write]), ACLEntry(.group, nil, .read),
      ACLEntry(.other, nil, []),
    ])!
    var object = Self.object(bare)
    object.give(Self.reading, on: bare)
    let granted = object.written
    let left = AccessList(granted.entries.filter { $0.id == nil })!
    #expect(left != bare)
    object.renew(on: left)
    #expect(object.written == granted)
    object.end(["one"], on: object.written)
    #expect(object.written == bare)
  }

  @Test func `do not narrow what the session of the user gives`() {
    func list(_ seat: Permissions?, _ mask: Permissions = [.read, .write]) -> AccessList {
      var entries = [
        ACLEntry(.user, nil, [.read, .write]), ACLEntry(.group, nil, .read),
        ACLEntry(.mask, nil, mask), ACLEntry(.other, nil, []),
      ]
      if let seat { entries.insert(ACLEntry(.user, 1000, seat), at: 1) }
      return AccessList(entries)!
    }
    var object = Self.object(list(nil))
    object.give(Self.reading, on: list(nil))
    #expect(object.written == list(.read))
    // The session becomes active, then another one does; this happens twice.
    for _ in 0..<2 {
      object.renew(on: list([.read, .write]))
      #expect(object.written == list([.read, .write]))
      object.renew(on: list(nil))
      #expect(object.written == list(.read))
    }
    object.renew(on: list([.read, .write]))
    object.end(["one"], on: object.written)
    #expect(object.written == list([.read, .write]))
    // The user did not have the permissions that the mask removes.
    object = Self.object(list([.read, .write], .read))
    object.give(Self.reading, on: object.written)
    #expect(object.written == list(.read, .read))
  }

  @Test func `are given again on the node of a device that came back`() {
    var object = Self.object(
      AccessList([
        ACLEntry(.user, nil, [.read, .write]), ACLEntry(.group, nil, .read),
        ACLEntry(.other, nil, []),
      ])!)
    object.give(Self.reading, on: object.written)
    let fresh = AccessList([
      ACLEntry(.user, nil, [.read, .write]), ACLEntry(.group, nil, []), ACLEntry(.other, nil, []),
    ])!
    let inode = GrantedObject.Inode(
      filesystem: 5, number: 8, device: DeviceNumber(major: 81, minor: 1))
    let state = InodeGrants(fresh, records: [], rules: object.grants)
    object.move(to: "/dev/video1", inode)
    object.prepare(state.list(renewing: ["one"]), from: state)
    #expect(object.written.text == "u::rw-,u:1000:r--,g::---,m::r--,o::---")
    object.end(["one"], on: object.written)
    #expect(object.written == fresh)
  }

  @Test(arguments: [
    [ACLEntry(.user, nil, .read)],
    [ACLEntry(.user, nil, .read), ACLEntry(.other, nil, []), ACLEntry(.group, nil, [])],
    // Named users require a mask.
    [
      ACLEntry(.user, nil, .read), ACLEntry(.user, 5, .read), ACLEntry(.group, nil, []),
      ACLEntry(.other, nil, []),
    ],
    // The ID is invalid, so the entry belongs to no user.
    [
      ACLEntry(.user, nil, .read), ACLEntry(.user, .max, .read), ACLEntry(.group, nil, []),
      ACLEntry(.mask, nil, []), ACLEntry(.other, nil, []),
    ],
  ])
  func `take no list that the kernel would not take`(entries: [ACLEntry]) {
    #expect(AccessList(entries) == nil)
  }

  @Test func `end by the clock that nobody sets, and with the boot`() {
    let grant = AccessGrant(
      id: "one", user: 1000, userName: nil, permissions: .read, kept: [], giver: 0, start: 0,
      end: 60,
      deadline: 100, boot: "a")
    #expect(!grant.isOver(uptime: 99, boot: "a"))
    #expect(grant.isOver(uptime: 100, boot: "a"))
    #expect(grant.isOver(uptime: 1, boot: "b"))
  }
}

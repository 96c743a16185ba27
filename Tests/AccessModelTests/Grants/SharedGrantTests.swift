import AccessModel
import Testing

/// An inode to which root, the owner and a udev rule grant access, while other programs change its
/// list.
private struct SharedGrants {
  enum Giver: CaseIterable { case root, owner }

  /// The step that a program completes before it is killed.
  enum Step: CaseIterable { case beforeRecord, beforeList, beforeEnd, all }

  var scene: GrantScene
  /// The list as it would be if only other programs had changed it.
  private(set) var foreign: AccessList
  private var records: [Giver: GrantedObject] = [:]
  /// The records in the rule files, which do not change after the rules are written.
  private var ruleRecords: [GrantedObject] = []
  private var rules: [AccessGrant] { ruleRecords.flatMap(\.grants) }
  private var count = 0
  /// A Boolean value that indicates whether setfacl(1) has created a mask.
  private(set) var isForeign = false

  init(seed: UInt64) {
    scene = GrantScene(seed: seed)
    // Uses a mask that removes nothing, like the one that setfacl(1) creates with each entry.
    // Devices have no execute permission.
    scene.take(
      Self.masked(
        scene.list.entries.map { entry in
          var entry = entry
          entry.permissions.remove(.search)
          return entry
        }))
    // The kernel skips a list whose mask is empty. A grant removes its entries to make the list
    // effective. If another program changes the list at that time, they are not restored.
    if scene.list.mask == [] {
      scene.take(AccessList(scene.list.entries.filter { $0.id == nil && $0.tag != .mask })!)
    }
    foreign = scene.list
  }

  /// Returns the list that setfacl(1) makes of entries, with the union of their permissions as
  /// mask.
  private static func masked(_ entries: [ACLEntry]) -> AccessList {
    var seen = Set<UInt32>()
    var list = entries.filter { entry in
      entry.tag != .user || entry.id.map { seen.insert($0).inserted } != false
    }
    let users = list.filter { $0.tag == .user && $0.id != nil }.sorted { $0.id! < $1.id! }
    list.removeAll { $0.tag == .user && $0.id != nil }
    list.insert(contentsOf: users, at: 1)
    let isMasked = { (entry: ACLEntry) in
      entry.tag == .group || (entry.tag == .user && entry.id != nil)
    }
    let mask = list.filter(isMasked).reduce(into: Permissions()) {
      $0.formUnion($1.permissions)
    }
    guard list.contains(where: { $0.id != nil }) || list.contains(where: { $0.tag == .mask }) else {
      return AccessList(list)!
    }
    list.removeAll { $0.tag == .mask }
    list.insert(ACLEntry(.mask, nil, mask), at: list.count - 1)
    return AccessList(list)!
  }

  var state: InodeGrants {
    InodeGrants(scene.list, records: Array(records.values) + ruleRecords.reversed(), rules: rules)
  }

  var given: [(giver: Giver?, id: String)] {
    records.flatMap { giver, object in object.grants.map { (giver, $0.id) } }.sorted { $0.1 < $1.1 }
      + rules.map { (nil, $0.id) }
  }

  mutating func give(_ giver: Giver?, upTo step: Step) {
    count += 1
    let user = scene.generator.pick(GrantScene.users.filter { $0 != scene.node.uid })
    let state = state
    let grant = scene.grant(1000 + count, to: user, over: state)
    guard let giver else {
      // udev runs setfacl(1) with the permissions of the rule.
      var record = GrantedObject(
        path: GrantScene.path, inode: Grants.inode, conditions: nil, kind: "camera",
        current: state.base)
      record.add(grant)
      let list = scene.list.granting(grant.permissions.union(grant.kept), toUser: user)
      record.prepare(list, from: state)
      record.confirm()
      ruleRecords.append(record)
      isForeign = true
      set(grant.permissions.union(grant.kept), for: user)
      return
    }
    var object = record(of: giver)
    object.add(grant)
    object.prepare(state.list(adding: grant), from: state)
    write(object, of: giver, upTo: step)
  }

  mutating func end(_ giver: Giver?, _ id: String, upTo step: Step) {
    let state = state
    let list = state.list(without: [id])
    var object = giver.map(record) ?? records[.root] ?? record(of: .root)
    object.prepare(list, from: state)
    write(object, of: giver ?? .root, upTo: step) { object in object.remove([id]) }
    if giver == nil, step == .all { ruleRecords.removeAll { $0.grants.map(\.id) == [id] } }
  }

  private func record(of giver: Giver) -> GrantedObject {
    records[giver]
      ?? GrantedObject(
        path: GrantScene.path, inode: Grants.inode, conditions: nil, kind: "camera",
        current: scene.list)
  }

  private mutating func write(
    _ prepared: GrantedObject, of giver: Giver, upTo step: Step,
    _ finish: (inout GrantedObject) -> Void = { _ in }
  ) {
    guard step != .beforeRecord else { return }
    records[giver] = prepared
    guard step != .beforeList else { return }
    scene.take(prepared.written)
    guard step != .beforeEnd else { return }
    var object = prepared
    finish(&object)
    object.confirm()
    records[giver] = object
    // A record without grants is kept while other grants exist.
    if state.grants.isEmpty { records = [:] }
  }

  /// Sets or removes an entry as another program would, with setfacl(1).
  mutating func change() {
    let user = scene.generator.pick(GrantScene.users.filter { $0 != scene.node.uid })
    // An entry with permissions that were written before cannot be attributed to another program.
    let own =
      records.values.flatMap { [$0.written, $0.replaced].compactMap(\.self) }
      .compactMap { $0.entry(ofUser: user)?.permissions }
      + rules.filter { $0.user == user }.map { $0.permissions.union($0.kept) }
      + [scene.list.entry(ofUser: user)?.permissions].compactMap(\.self)
    let free = [[], .read, .write, [.read, .write]].filter { !own.contains($0) }
    if scene.generator.isOneIn(3) || free.isEmpty {
      let left = Self.masked(foreign.entries.filter { $0.tag != .user || $0.id != user })
      guard scene.list.entry(ofUser: user) != nil, left.mask != [] else { return }
      scene.take(Self.masked(scene.list.entries.filter { $0.tag != .user || $0.id != user }))
      foreign = left
    } else {
      let permissions = scene.generator.pick(free)
      let left = Self.setting(permissions, for: user, in: foreign)
      guard left.mask != [] else { return }
      set(permissions, for: user)
      foreign = left
    }
    isForeign = true
  }

  private mutating func set(_ permissions: Permissions, for user: UInt32) {
    scene.take(Self.setting(permissions, for: user, in: scene.list))
  }

  private static func setting(
    _ permissions: Permissions, for user: UInt32, in list: AccessList
  ) -> AccessList {
    var entries = list.entries.filter { $0.tag != .user || $0.id != user }
    entries.insert(ACLEntry(.user, user, permissions), at: 1)
    return masked(entries)
  }

  /// Returns the effective permissions of each entry.
  static func effective(_ list: AccessList) -> [String] {
    list.entries.filter { $0.tag != .mask }.map { entry in
      let isBound = entry.tag == .group || (entry.tag == .user && entry.id != nil)
      let permissions =
        isBound ? entry.permissions.intersection(list.mask ?? .all) : entry.permissions
      return "\(entry.tag.rawValue):\(entry.id.map { String($0) } ?? ""):\(permissions)"
    }
  }
}

extension Permissions {
  fileprivate static let all: Permissions = [.read, .write, .search]
}

@Suite struct `Grants in several records` {
  private static func list(_ text: String) -> AccessList {
    AccessList(
      text.split(separator: ",").map { part in
        let fields = part.split(separator: ":", omittingEmptySubsequences: false)
        let permissions = fields[2].reduce(into: Permissions()) { permissions, letter in
          switch letter {
          case "r": permissions.insert(.read)
          case "w": permissions.insert(.write)
          case "x": permissions.insert(.search)
          default: break
          }
        }
        return ACLEntry(ACLEntry.Tag(rawValue: String(fields[0]))!, UInt32(fields[1]), permissions)
      })!
  }

  private static func grant(_ id: String, _ permissions: Permissions) -> AccessGrant {
    AccessGrant(
      id: id, user: 7, userName: nil, permissions: permissions, kept: [], giver: 0, start: 0,
      end: nil, deadline: nil, boot: "")
  }

  private static func object(_ list: AccessList) -> GrantedObject {
    GrantedObject(
      path: GrantScene.path, inode: Grants.inode, conditions: nil, kind: "camera", current: list)
  }

  @Test(arguments: [true, false])
  func `leave nothing of each other behind`(isFirstFirst: Bool) {
    let bare = Self.list("u::rw-,g::---,o::---")
    var objects = [Self.object(bare), Self.object(bare)]
    var list = bare
    for (index, permissions) in [Permissions.read, .write].enumerated() {
      let state = InodeGrants(list, records: objects)
      objects[index].add(Self.grant("\(index)", permissions))
      objects[index].prepare(state.list(adding: objects[index].grants[0]), from: state)
      objects[index].confirm()
      list = objects[index].written
    }
    #expect(list.text == "u::rw-,u:7:rw-,g::---,m::rw-,o::---")
    let order = isFirstFirst ? [0, 1] : [1, 0]
    for (step, index) in order.enumerated() {
      let state = InodeGrants(list, records: objects)
      objects[index].prepare(state.list(without: ["\(index)"]), from: state)
      objects[index].remove(["\(index)"])
      objects[index].confirm()
      list = objects[index].written
      if step == 0 {
        let left = isFirstFirst ? "-w-" : "r--"
        #expect(list.text == "u::rw-,u:7:\(left),g::---,m::\(left),o::---")
      }
    }
    #expect(list == bare)
  }

  @Test func `narrow no list that a program was killed before writing`() {
    // The entry existed, but the mask limited it.
    let bare = Self.list("u::rw-,u:7:rw-,g::r--,m::r--,o::---")
    var object = Self.object(bare)
    let state = InodeGrants(bare, records: [])
    let grant = Self.grant("one", [.read, .write])
    object.add(grant)
    object.prepare(state.list(adding: grant), from: state)
    #expect(object.written != bare)
    #expect(InodeGrants(bare, records: [object]).list(without: ["one"]) == bare)
  }

  @Test func `bring nothing back that another program took, when one of them ends`() {
    let bare = Self.list("u::rw-,g::---,o::---")
    var object = Self.object(bare)
    object.give(Self.grant("one", .read), on: bare)
    let other = AccessGrant(
      id: "two", user: 8, userName: nil, permissions: .read, kept: [], giver: 0, start: 0,
      end: nil, deadline: nil, boot: "")
    object.give(other, on: object.written)
    let taken = Self.list("u::rw-,u:8:r--,g::---,m::r--,o::---")
    #expect(InodeGrants(taken, records: [object]).list(without: ["two"]) == bare)
  }

  @Test(arguments: [
    // chmod(1) or udev has cleared the mask.
    ("u::rw-,u:7:rw-,g::---,m::---,o::---", "u::rw-,u:8:rw-,g::r--,g:5:r--,m::---,o::---"),
    // Another program has changed the permissions of others.
    ("u::rw-,u:7:rw-,g::---,m::rw-,o::r--", "u::rw-,u:8:rw-,g::r--,g:5:r--,m::---,o::r--"),
    // Another program needs the list to be effective, so the skipped entries must not return.
    ("u::rw-,u:7:rw-,u:9:r--,g::---,m::rw-,o::---", "u::rw-,u:9:r--,g::---,m::rw-,o::---"),
    ("u::rw-,u:7:rw-,g::r--,m::rw-,o::---", "u::rw-,g::r--,m::rw-,o::---"),
    // Another program has removed the list.
    ("u::rw-,g::r--,o::---", "u::rw-,g::r--,o::---"),
  ])
  func `bring the entries of a list back that the kernel skipped`(changed: String, left: String) {
    let skipped = Self.list("u::rw-,u:8:rw-,g::r--,g:5:r--,m::---,o::---")
    var object = Self.object(skipped)
    object.give(Self.grant("one", [.read, .write]), on: skipped)
    #expect(object.written == Self.list("u::rw-,u:7:rw-,g::---,m::rw-,o::---"))
    #expect(
      InodeGrants(Self.list(changed), records: [object]).list(without: ["one"]) == Self.list(left))
  }

  /// The environment variable `DEVACCESS_GRANT_SCENES` sets the number of scenes.
  @Test func `leave the list to the others, however they come and go and are killed`() {
    for seed in 0..<Grants.rounds * 5 {
      var grants = SharedGrants(seed: seed &+ 3 << 32)
      let start = grants.scene.list
      let givers: [SharedGrants.Giver?] = [.root, .owner, nil]
      for _ in 0..<14 {
        let step = grants.scene.generator.pick(
          SharedGrants.Step.allCases + Array(repeating: .all, count: 6))
        switch grants.scene.generator.pick(["give", "give", "end", "end", "change"]) {
        case "give": grants.give(grants.scene.generator.pick(givers), upTo: step)
        case "end":
          guard !grants.given.isEmpty else { continue }
          let (giver, id) = grants.scene.generator.pick(grants.given)
          grants.end(giver, id, upTo: step)
        default:
          // Only change the list between complete steps: if a program is killed halfway, the writer
          // of an entry cannot be determined.
          if step == .all, seed % 2 == 0 { grants.change() }
        }
      }
      while let (giver, id) = grants.given.first { grants.end(giver, id, upTo: .all) }
      #expect(
        SharedGrants.effective(grants.scene.list) == SharedGrants.effective(grants.foreign),
        "seed \(seed)")
      if !grants.isForeign { #expect(grants.scene.list == start, "seed \(seed)") }
    }
  }
}

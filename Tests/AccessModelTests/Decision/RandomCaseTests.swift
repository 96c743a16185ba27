import AccessModel
import Testing

@Suite struct `Random cases` {
  private static let count = 2_000

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `the verdict and the decision are the same`(seed: UInt64) {
    var source = RandomScene(seed: seed)
    var grants = 0
    for _ in 0..<Self.count {
      let value = source.next()
      let prepared = PreparedCase(value)
      let decision = value.decide()
      let verdict = prepared.verdict()
      #expect(value.answer() == CaseAnswer(id: value.id, decision))
      var answer = CaseAnswer(id: 0, decision)
      answer.detail.grounds = []
      #expect(answer == CaseAnswer(id: 0, verdict, to: value.request, in: prepared))
      if decision.isGranted {
        grants += 1
        #expect(decision.grounds.contains { $0 == decision.rule })
      }
    }
    #expect((Self.count / 20...Self.count * 19 / 20).contains(grants))
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `the order of the nodes does not matter`(seed: UInt64) {
    var source = RandomScene(seed: seed)
    for _ in 0..<Self.count / 4 {
      let value = source.next()
      var shuffled = value
      shuffled.nodes.shuffle(using: &source.generator)
      #expect(value.decide() == shuffled.decide())
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `knowing less never gives another answer, only none`(seed: UInt64) {
    var source = RandomScene(seed: seed)
    var decided = 0
    var undecided = 0
    for _ in 0..<Self.count {
      let value = source.next().withConsistentModes
      let known = value.decide().outcome
      let less = source.forget(value)
      let outcome = less.decide().outcome
      if case .undecided = outcome {
        undecided += 1
      } else {
        decided += 1
        #expect(outcome == known, "\(value) with less: \(less)")
      }
    }
    #expect(decided > Self.count / 10 && undecided > Self.count / 10)
  }
}

extension RandomScene {
  /// Returns the case with some facts marked as unobserved and replaced by other values.
  mutating func forget(_ value: AccessCase) -> AccessCase {
    var result = value
    for index in result.nodes.indices where generator.isOneIn(5) {
      hide(&result.nodes[index])
    }
    for index in result.mounts.indices where generator.isOneIn(8) {
      hide(&result.mounts[index])
    }
    if generator.isOneIn(5) { hide(&result.subject) }
    if generator.isOneIn(6), value.subject.userNamespace == nil { hideIDs(&result) }
    return result
  }

  private mutating func hide(_ node: inout Node) {
    switch generator.pick([Node.Element.status, .acl, .acl, .flags, .target]) {
    case .status:
      node.unobserved.insert(.status)
      node.type = .regular
      node.mode = 0
      node.acl = nil
    case .acl:
      node.unobserved.insert(.acl)
      node.acl = generator.isOneIn(2) ? nil : []
    case .flags:
      node.unobserved.insert(.flags)
      node.flags = generator.pick([[], [.immutable]])
    case .target:
      guard node.type == .symbolicLink else { return }
      node.unobserved.insert(.target)
      node.target = nil
    case .contents: break
    }
  }

  private mutating func hide(_ mount: inout Mount) {
    switch generator.pick([Mount.Element.superblockNodev, .idmap, .flags]) {
    case .superblockNodev:
      mount.unobserved.insert(.superblockNodev)
      mount.superblockNodev.toggle()
    case .idmap:
      mount.unobserved.insert(.idmap)
      mount.idmap = nil
    case .flags:
      mount.unobserved.insert(.flags)
      mount.readOnly.toggle()
      mount.nodev.toggle()
      mount.noexec.toggle()
      mount.nosymfollow.toggle()
      mount.superblockReadOnly.toggle()
    }
  }

  private mutating func hide(_ subject: inout Subject) {
    switch generator.pick([
      Subject.Element.ids, .groups, .capabilities, .securebits, .userns, .deviceCgroup,
    ]) {
    case .ids:
      subject.unobserved.insert(.ids)
      subject.fsuid = generator.pick(Self.ids)
      subject.ruid = generator.pick(Self.ids)
      subject.fsgid = generator.pick(Self.ids)
      subject.rgid = generator.pick(Self.ids)
    case .groups:
      subject.unobserved.insert(.groups)
      subject.groups = [generator.pick(Self.ids)]
    case .capabilities:
      subject.unobserved.insert(.capabilities)
      subject.permitted = [.overrideFileAccess]
      subject.effective = [.readAndSearch]
    case .securebits:
      subject.unobserved.insert(.securebits)
      subject.securebits ^= 4
    case .userns:
      subject.unobserved.insert(.userns)
      subject.userNamespace = nil
    case .deviceCgroup:
      subject.unobserved.insert(.deviceCgroup)
      subject.deviceCgroup = nil
    case .overflowIDs, .dynamicIDs: break
    }
  }

  /// Replaces some IDs by the overflow ID, as for an observer whose namespace does not map them.
  private mutating func hideIDs(_ value: inout AccessCase) {
    let hidden = Set(Self.ids.filter { _ in generator.isOneIn(2) })
    func seen(_ id: UInt32) -> UInt32 { hidden.contains(id) ? 65_534 : id }
    // A map of hidden IDs would not be observable either.
    guard value.mounts.allSatisfy({ $0.idmap == nil }) else { return }
    value.subject.unobserved.insert(.overflowIDs)
    value.subject.ruid = seen(value.subject.ruid)
    value.subject.fsuid = seen(value.subject.fsuid)
    value.subject.rgid = seen(value.subject.rgid)
    value.subject.fsgid = seen(value.subject.fsgid)
    value.subject.groups = value.subject.groups.map(seen)
    for index in value.nodes.indices {
      value.nodes[index].uid = seen(value.nodes[index].uid)
      value.nodes[index].gid = seen(value.nodes[index].gid)
      value.nodes[index].acl = value.nodes[index].acl?.map {
        ACLEntry($0.tag, $0.id.map { hidden.contains($0) ? .max : $0 }, $0.permissions)
      }
    }
  }
}

internal import AccessModel

extension BatchBuilder {
  static let capabilities: [Capability] = [
    .overrideFileAccess, .readAndSearch, .actAsFileOwner, .administerSystem, .makeDeviceNodes,
    .changeOwner, .administerNetwork, .traceProcesses,
  ]

  mutating func makeSubject(namespaces: [IDMapping]) -> Subject {
    // Use the IDs that mounts map to as well as the stored ones.
    let users = users + idmapped(\.users)
    let groups = groups + idmapped(\.groups)
    var subject = Subject(
      uid: random.pick(users), gid: random.pick(groups), groups: makeGroups(groups))
    switch random.below(10) {
    case 0..<5: break
    case 5, 6:
      subject.ruid = random.pick(users)
      subject.rgid = random.pick(groups)
    case 7:
      subject.fsuid = random.pick(users)
      subject.fsgid = random.pick(groups)
    default:
      subject.ruid = random.pick(users)
      subject.euid = random.pick(users)
      subject.suid = random.pick(users)
      subject.fsuid = random.pick(users)
      subject.rgid = random.pick(groups)
      subject.egid = random.pick(groups)
      subject.sgid = random.pick(groups)
      subject.fsgid = random.pick(groups)
    }
    if random.chance(40) { subject.userNamespace = random.pick(namespaces) }
    giveCapabilities(to: &subject)
    if random.chance(25) { subject.securebits = 4 }
    return subject
  }

  private mutating func makeGroups(_ groups: [UInt32]) -> [UInt32] {
    let count: Int
    switch random.below(20) {
    case 0..<5: count = 0
    case 5..<14: count = random.number(1...4)
    case 14..<17: count = random.number(5...32)
    case 17: count = random.number(31...33)
    default: count = random.number(33...64)
    }
    var result: [UInt32] = []
    for index in 0..<count {
      // In a long list, most groups own nothing, so the group that matters may be at the end.
      let matters = random.chance(count > 32 ? (index < 32 ? 1 : 12) : count > 4 ? 4 : 80)
      result.append(matters ? random.pick(groups) : 7_000 + UInt32(index * 13 % 64))
    }
    return result
  }

  private mutating func giveCapabilities(to subject: inout Subject) {
    switch random.below(20) {
    case 0..<8: return
    case 8, 9:
      subject.permitted = CapabilitySet(Self.capabilities)
      subject.effective = subject.permitted
    case 10..<14:
      // The three capabilities that affect the decision, in any combination.
      let deciding = Array(Self.capabilities.prefix(3))
      subject.permitted = CapabilitySet(random.some(of: deciding, percent: 45))
      subject.effective = subject.permitted
    case 14, 15:
      subject.permitted = [random.pick(Array(Self.capabilities.prefix(3)))]
      if random.chance(50) { subject.effective = subject.permitted }
    default:
      let permitted = random.some(of: Self.capabilities, percent: 50)
      subject.permitted = CapabilitySet(permitted)
      subject.effective = CapabilitySet(random.some(of: permitted, percent: 60))
    }
  }
}

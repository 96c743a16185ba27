internal import AccessModel

/// Builds a batch in steps: IDs, mounts, nodes, subjects and requests.
struct BatchBuilder {
  var random: RandomSource
  let options: GeneratorOptions

  /// The user IDs of this batch, which are few so that owners, entries and subjects often coincide.
  var users: [UInt32] = []
  var groups: [UInt32] = []
  var mounts: [Mount] = []
  var nodes: [Node] = []
  /// The paths of a long chain of links, from the first link to the last.
  var chain: [String] = []

  static let allUsers: [UInt32] = [
    0, 1, 7, 33, 1000, 1001, 1002, 65534, 65535, 100_000, 100_007, 101_000, 2_147_483_648,
    4_294_967_293, 4_294_967_294,
  ]
  static let allGroups: [UInt32] = [
    0, 1, 5, 29, 44, 100, 1000, 1001, 65534, 65535, 100_000, 100_044, 101_000, 2_147_483_648,
    4_294_967_294,
  ]

  init(random: RandomSource, options: GeneratorOptions) {
    self.random = random
    self.options = options
  }

  mutating func build(firstID: Int) -> CaseBatch {
    users = Array(random.shuffled(Self.allUsers).prefix(4))
    groups = Array(random.shuffled(Self.allGroups).prefix(4))
    // Root has a special role only in ID maps and faccessat2(2), but must occur often enough.
    if random.chance(60), !users.contains(0) { users[0] = 0 }
    if random.chance(40), !groups.contains(0) { groups[0] = 0 }
    let protectedSymlinks = random.pick(options.protectedSymlinks)
    let protectedRegular = random.pick(options.protectedRegular)
    let protectedFifos = random.pick(options.protectedFifos)
    makeMounts()
    makeNodes(protectedSymlinks: protectedSymlinks)
    let deviceCgroup = options.deviceCgroups && random.chance(12) ? makeDeviceCgroup() : nil
    let namespaces = makeNamespaces()
    var trials: [CaseBatch.Trial] = []
    for _ in 0..<options.subjects {
      var subject = makeSubject(namespaces: namespaces)
      subject.deviceCgroup = deviceCgroup
      var requests: [Request] = []
      for _ in 0..<options.requests { requests.append(makeRequest()) }
      trials.append(CaseBatch.Trial(subject: subject, requests: requests))
    }
    var batch = CaseBatch(
      firstID: firstID, protectedSymlinks: protectedSymlinks, mounts: mounts, nodes: nodes,
      trials: trials)
    batch.protectedRegular = protectedRegular
    batch.protectedFifos = protectedFifos
    return batch
  }

  /// Returns the index of the mount that contains a canonical path.
  func mountIndex(of path: String) -> Int {
    CaseBatch.mountIndex(of: path, among: mounts)
  }
}

extension CaseBatch {
  /// Returns the index of the mount that contains a canonical path.
  ///
  /// This is the mount with the longest mount point above the path. If there are several at the
  /// same mount point, it is the last one.
  static func mountIndex(of path: String, among mounts: [Mount]) -> Int {
    var best = 0
    for (index, mount) in mounts.enumerated() where index > 0 {
      let isAbove = path == mount.at || path.hasPrefix(mount.at + "/")
      if isAbove && mount.at.count >= mounts[best].at.count { best = index }
    }
    return best
  }
}

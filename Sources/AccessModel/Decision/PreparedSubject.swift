/// The subject as the engine reads it.
struct PreparedSubject: Sendable {
  /// The id that stands for every id without a mapping (`fs.overflowuid`).
  static let overflowID: UInt32 = 65534

  var effective: Credentials
  var real: Credentials
  /// The supplementary groups in ascending order.
  var groups: [UInt32]
  var areIDsUnknown: Bool
  var areGroupsUnknown: Bool
  var isNamespaceUnknown: Bool
  var isDeviceCgroupUnknown: Bool
  /// Some ids read as the overflow id.
  var hasOverflowIDs: Bool

  init(_ subject: Subject) {
    effective = Credentials(effectiveOf: subject)
    real = Credentials(realOf: subject)
    // The kernel keeps them sorted, so most lists that were read need no work.
    groups = subject.groups
    if !zip(groups, groups.dropFirst()).allSatisfy({ $0 <= $1 }) { groups.sort() }
    let unobserved = subject.unobserved
    areIDsUnknown = unobserved.contains(.ids)
    areGroupsUnknown = unobserved.contains(.groups)
    isNamespaceUnknown = unobserved.contains(.userns)
    isDeviceCgroupUnknown = unobserved.contains(.deviceCgroup)
    hasOverflowIDs = unobserved.contains(.overflowIDs)
  }

  func hasSupplementaryGroup(_ group: UInt32) -> Bool {
    var low = 0
    var high = groups.count
    while low < high {
      let middle = (low + high) / 2
      if groups[middle] < group { low = middle + 1 } else { high = middle }
    }
    return low < groups.count && groups[low] == group
  }
}

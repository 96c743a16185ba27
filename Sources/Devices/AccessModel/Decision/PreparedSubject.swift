/// A subject in the form that the engine reads.
struct PreparedSubject: Sendable {
  /// The ID that represents every ID without a mapping (`fs.overflowuid`).
  static let overflowID: UInt32 = 65534

  var effective: Credentials
  var real: Credentials
  /// The supplementary groups in ascending order.
  var groups: [UInt32]
  var areIDsUnknown: Bool
  var areGroupsUnknown: Bool
  var isNamespaceUnknown: Bool
  var isDeviceCgroupUnknown: Bool
  /// A Boolean value that indicates whether some IDs read as the overflow ID.
  var hasOverflowIDs: Bool
  /// A Boolean value that indicates whether the user is a dynamic user without an allocated ID.
  var hasDynamicIDs: Bool
  /// A Boolean value that indicates whether every ID is known, so that comparing two IDs is
  /// conclusive.
  var areAllIDsKnown: Bool

  init(_ subject: Subject) {
    effective = Credentials(effectiveOf: subject)
    real = Credentials(realOf: subject)
    // The kernel keeps the groups sorted, so a list that was read rarely needs sorting.
    var sorted = subject.groups
    if !Self.isSorted(sorted.span) { sorted.sort() }
    groups = sorted
    let unobserved = subject.unobserved
    areIDsUnknown = unobserved.contains(.ids)
    areGroupsUnknown = unobserved.contains(.groups)
    isNamespaceUnknown = unobserved.contains(.userns)
    isDeviceCgroupUnknown = unobserved.contains(.deviceCgroup)
    hasOverflowIDs = unobserved.contains(.overflowIDs)
    hasDynamicIDs = unobserved.contains(.dynamicIDs)
    areAllIDsKnown =
      !areIDsUnknown && !areGroupsUnknown && !hasOverflowIDs && !hasDynamicIDs
  }

  private static func isSorted(_ ids: Span<UInt32>) -> Bool {
    var index = 1
    while index < ids.count {
      if ids[index - 1] > ids[index] { return false }
      index += 1
    }
    return true
  }

  func hasSupplementaryGroup(_ group: UInt32) -> Bool {
    let ids = groups.span
    var low = 0
    var high = ids.count
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < group { low = middle + 1 } else { high = middle }
    }
    return low < ids.count && ids[low] == group
  }
}

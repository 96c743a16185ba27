/// Hypothetical changes to the groups or capabilities of a subject.
///
/// The kernel is not asked about a subject with changes.
public struct SubjectVariation: Hashable, Sendable {
  /// The supplementary groups that replace the subject's own, or `nil` to keep those.
  ///
  /// Each is a name in the group database or an ID. The primary group is not a supplementary group,
  /// and does not change.
  public var groups: [String]?
  /// The supplementary groups to add.
  public var addedGroups: [String]
  /// The supplementary groups to remove.
  public var removedGroups: [String]
  /// The capabilities to add to the effective and permitted sets.
  public var addedCapabilities: CapabilitySet
  /// The capabilities to remove from the effective and permitted sets.
  public var removedCapabilities: CapabilitySet

  /// Creates a variation, by default without changes.
  public init(
    groups: [String]? = nil, addedGroups: [String] = [], removedGroups: [String] = [],
    addedCapabilities: CapabilitySet = [], removedCapabilities: CapabilitySet = []
  ) {
    self.groups = groups
    self.addedGroups = addedGroups
    self.removedGroups = removedGroups
    self.addedCapabilities = addedCapabilities
    self.removedCapabilities = removedCapabilities
  }

  /// A Boolean value that indicates whether there are no changes.
  public var isEmpty: Bool { self == SubjectVariation() }

  /// The names or IDs of all groups in the variation.
  public var groupNames: [String] { (groups ?? []) + addedGroups + removedGroups }

  /// Returns the subject with the changes applied.
  ///
  /// - Parameters:
  ///   - subject: The subject to change.
  ///   - numbers: The IDs of the groups in ``groupNames``; a group without an ID is ignored.
  /// - Returns: The changed subject, with the same user and primary group.
  public func applied(to subject: Subject, numbers: [String: UInt32]) -> Subject {
    var subject = subject
    if let groups {
      subject.groups = groups.compactMap { numbers[$0] }
      subject.unobserved.remove(.groups)
    }
    let removed = Set(removedGroups.compactMap { numbers[$0] })
    subject.groups.removeAll(where: removed.contains)
    for group in addedGroups.compactMap({ numbers[$0] }) where !subject.groups.contains(group) {
      subject.groups.append(group)
    }
    subject.effective = subject.effective.union(addedCapabilities)
      .subtracting(removedCapabilities)
    subject.permitted = subject.permitted.union(addedCapabilities)
      .subtracting(removedCapabilities)
    return subject
  }

  /// The changes, one clause each.
  public var clauses: [String] {
    var clauses: [String] = []
    if let groups {
      clauses.append(
        groups.isEmpty
          ? "no supplementary groups" : "supplementary groups \(groups.joined(separator: ", "))")
    }
    clauses += addedGroups.map { "with group \($0)" }
    clauses += removedGroups.map { "without group \($0)" }
    clauses += addedCapabilities.members.map { "with cap_\($0.name)" }
    clauses += removedCapabilities.members.map { "without cap_\($0.name)" }
    return clauses
  }
}

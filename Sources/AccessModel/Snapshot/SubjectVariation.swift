/// What would be if the subject had other groups or capabilities.
///
/// An answer with a variation is hypothetical: the kernel is not asked about it.
public struct SubjectVariation: Hashable, Sendable {
  /// Replaces the supplementary groups; `nil` keeps the subject's own.
  ///
  /// Names as in the group database, or numbers. The primary group is none of them and stays.
  public var groups: [String]?
  /// Supplementary groups on top.
  public var addedGroups: [String]
  /// Supplementary groups that are taken away.
  public var removedGroups: [String]
  /// Capabilities that are effective (and so permitted) as well.
  public var addedCapabilities: CapabilitySet
  /// Capabilities that are neither effective nor permitted.
  public var removedCapabilities: CapabilitySet

  /// A variation; without arguments none.
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

  /// Whether the subject is taken as it is.
  public var isEmpty: Bool { self == SubjectVariation() }

  /// The names or numbers of every group in it.
  public var groupNames: [String] { (groups ?? []) + addedGroups + removedGroups }

  /// The subject as it would be.
  ///
  /// - Parameters:
  ///   - subject: The subject as it is.
  ///   - numbers: The number of each of ``groupNames``; a group without one counts for nothing.
  /// - Returns: The varied subject, whose identifiers are the same.
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

  /// What differs, one clause each.
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

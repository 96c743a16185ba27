import AccessModel
import Testing

@Suite struct `A variation of a subject` {
  private static let numbers: [String: UInt32] = ["a": 1, "b": 2, "c": 3, "4": 4]

  @Test(
    arguments: [
      (SubjectVariation(), [1, 9]), (SubjectVariation(groups: []), []),
      (SubjectVariation(groups: ["b", "c"]), [2, 3]),
      (SubjectVariation(addedGroups: ["a", "b"]), [1, 9, 2]),
      (SubjectVariation(removedGroups: ["a", "b"]), [9]),
      (SubjectVariation(groups: ["a", "b"], addedGroups: ["4"], removedGroups: ["a"]), [2, 4]),
      (SubjectVariation(addedGroups: ["unknown"]), [1, 9]),
    ] as [(SubjectVariation, [UInt32])])
  func `changes the groups`(variation: SubjectVariation, expected: [UInt32]) {
    let subject = Subject(uid: 5, gid: 6, groups: [1, 9])
    let varied = variation.applied(to: subject, numbers: Self.numbers)
    #expect(varied.groups == expected)
    #expect(varied.fsgid == 6)
  }

  @Test func `changes the effective and permitted capabilities`() {
    var subject = Subject(uid: 5, gid: 6)
    subject.permitted = [.changeOwner, .setUsers]
    subject.effective = [.changeOwner]
    let variation = SubjectVariation(
      addedCapabilities: [.overrideFileAccess], removedCapabilities: [.changeOwner])
    let varied = variation.applied(to: subject, numbers: [:])
    #expect(varied.effective == [.overrideFileAccess])
    #expect(varied.permitted == [.overrideFileAccess, .setUsers])
  }

  @Test func `makes groups known that were not`() {
    var subject = Subject(uid: 5, gid: 6)
    subject.unobserved = [.groups]
    let added = SubjectVariation(addedGroups: ["a"]).applied(to: subject, numbers: Self.numbers)
    #expect(added.unobserved == [.groups])
    let replaced = SubjectVariation(groups: ["a"]).applied(to: subject, numbers: Self.numbers)
    #expect(replaced.unobserved.isEmpty)
  }

  @Test func `says what it changes`() {
    #expect(SubjectVariation().isEmpty && SubjectVariation().clauses.isEmpty)
    let variation = SubjectVariation(
      groups: ["a"], addedGroups: ["b"], removedGroups: ["c"],
      addedCapabilities: [.changeOwner], removedCapabilities: [.setUsers])
    #expect(
      variation.clauses == [
        "supplementary groups a", "with group b", "without group c", "with cap_chown",
        "without cap_setuid",
      ])
    #expect(SubjectVariation(groups: []).clauses == ["no supplementary groups"])
  }
}

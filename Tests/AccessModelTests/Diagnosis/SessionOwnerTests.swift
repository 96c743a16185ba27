import AccessModel
import Testing

/// A program started with `sudo -u alice` in bob's session.
@Suite struct `A session of another user` {
  private static func explain(owner: UInt32?) -> Explanation {
    Fixtures.camera.with {
      $0.session("3", isActive: false, active: 1002)
      $0.facts.session?.user = owner
    }.explain()
  }

  @Test func `is not switched to, and is named`() {
    let explanation = Self.explain(owner: Fixtures.bob)
    #expect(!explanation.remedies.contains { $0.changes.contains(.activateSession) })
    #expect(
      explanation.cause?.summary.contains(
        "the program runs in session 3, which belongs to bob (1001)") == true)
    #expect(explanation.evidence.contains { $0.hasPrefix("session 3 of bob (1001): seat0") })
  }

  @Test(arguments: [Fixtures.alice, nil])
  func `is the subject's where it is theirs or nothing tells`(owner: UInt32?) {
    let explanation = Self.explain(owner: owner)
    #expect(explanation.remedies.contains { $0.changes.contains(.activateSession) })
    #expect(explanation.cause?.summary.contains("is not the active one") == true)
  }
}

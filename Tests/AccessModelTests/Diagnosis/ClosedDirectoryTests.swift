import AccessModel
import Testing

@Suite struct `A closed directory of an owner that is not mapped` {
  private static func explain(uid: UInt32) -> Explanation {
    Fixtures.camera.with {
      $0.ask("/srv/d/x", .regular, mode: 0o644, wanted: .read)
      $0.facts.access.nodes.removeAll { $0.path == "/srv/d/x" }
      $0.node("/srv/d") {
        $0.mode = 0o700
        $0.uid = uid
        $0.gid = uid
        $0.unobserved = [.contents]
      }
      let map = IDMap([IDMap.Range(inside: 0, outside: Fixtures.alice, length: 1)])
      $0.facts.access.subject.userNamespace = IDMapping(users: map, groups: map)
      $0.facts.access.subject.unobserved = [.overflowIDs]
      $0.facts.access.subject.permitted = .all
      $0.facts.access.subject.effective = .all
      $0.facts.devices = []
      $0.check(.read, .permissionDenied, path: "/srv/d/x")
    }.explain()
  }

  @Test func `is the cause`() {
    let explanation = Self.explain(uid: 65534)
    #expect(explanation.answer == .refused)
    #expect(explanation.cause?.code == .usernsUnmapped)
    #expect(explanation.cause?.at == "/srv/d")
    #expect(explanation.cause?.summary.contains("/srv/d (0700)") == true)
  }

  @Test func `is no cause where the owner has a number`() {
    #expect(Self.explain(uid: Fixtures.alice).cause?.code != .usernsUnmapped)
  }
}

import Testing

@testable import AccessModel

@Suite struct `Differences of sessions` {
  private func texts(from before: SessionFacts, to now: SessionFacts) -> [String] {
    let access = AccessCase(
      protectedSymlinks: true, mounts: [Mount(at: "/", fstype: "ext4")], nodes: [],
      subject: Subject(uid: 1000, gid: 1000), request: .open(path: "/dev/video0", flags: []))
    func facts(_ session: SessionFacts) -> AccessFacts {
      var facts = AccessFacts(access: access)
      facts.session = session
      return facts
    }
    return facts(now).differences(from: facts(before)).filter { $0.code == .session }.map(\.text)
  }

  private func session(_ id: String?, seat: String? = "seat0", isActive: Bool = true)
    -> SessionFacts
  {
    SessionFacts(isLogindRunning: true, id: id, seat: seat, isActive: isActive)
  }

  @Test func `name what became of the session`() {
    let none = session(nil, seat: nil, isActive: false)
    let active = session("1")
    let inactive = session("1", isActive: false)
    #expect(texts(from: active, to: inactive) == ["the session became inactive"])
    #expect(texts(from: inactive, to: active) == ["the session became active"])
    #expect(texts(from: active, to: none) == ["the session ended"])
    // A new session has no previous state.
    #expect(texts(from: none, to: inactive) == ["a session began, which is inactive"])
    #expect(texts(from: none, to: active) == ["a session began, which is active"])
    let other = session("2", isActive: false)
    #expect(texts(from: active, to: other) == ["it is session 2 now, which is inactive"])
    let unseated = session("1", seat: nil, isActive: false)
    #expect(texts(from: unseated, to: inactive) == ["the session is on seat0 now"])
    #expect(texts(from: inactive, to: unseated) == ["the session is on no seat any more"])
  }
}

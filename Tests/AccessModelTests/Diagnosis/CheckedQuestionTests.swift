import AccessModel
import Testing

/// faccessat2(2) has no parameters for open flags and new names, so its answer can differ from
/// open(2).
@Suite struct `A kernel that was asked another question` {
  @Test func `does not overrule the refusal of a read-only mount`() {
    // For the directory of a new file, the kernel returns EACCES because of the mode before it
    // checks the mount.
    let explanation = Fixtures.camera.with {
      $0.ask("/srv/data", .directory, mode: 0o755, wanted: .write)
      $0.facts.access.mounts[0].readOnly = true
      $0.facts.access.request = .open(path: "/srv/data/new", flags: [.writeOnly, .create])
      $0.facts.devices = []
      $0.check([.write, .search], .permissionDenied, path: "/srv/data")
    }.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.decision.outcome == .denied(errno: .readOnlyFilesystem))
    #expect(explanation.decision.rule == .mountReadOnly)
    #expect(explanation.disagreement == nil)
  }

  @Test func `does not overrule the refusal of a sticky directory`() {
    let explanation = Fixtures.camera.with {
      $0.ask("/srv/x", .regular, mode: 0o666, wanted: .write)
      $0.add("/srv", .directory, mode: 0o1777)
      $0.node("/srv/x") {
        $0.uid = Fixtures.bob
        $0.flags = [.immutable]
      }
      $0.facts.access.protectedRegular = 1
      $0.facts.access.request = .open(path: "/srv/x", flags: [.writeOnly, .create])
      $0.facts.devices = []
      $0.check(.write, .notPermitted, path: "/srv/x")
    }.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.decision.outcome == .denied(errno: .permissionDenied))
    #expect(explanation.decision.rule == .createSticky)
    #expect(explanation.disagreement == nil)
  }

  @Test func `overrules the model where it was asked the same`() {
    let explanation = Fixtures.camera.with {
      $0.ask("/srv/x", .regular, mode: 0o644, wanted: .read)
      $0.node("/srv/x") { $0.mode = 0 }
      $0.facts.devices = []
      $0.check(.read, .readOnlyFilesystem, path: "/srv/x")
    }.explain()
    #expect(explanation.disagreement != nil)
  }
}

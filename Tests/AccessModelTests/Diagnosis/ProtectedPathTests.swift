import Testing

@testable import AccessModel

@Suite("A path that the settings of a service make read-only")
struct ProtectedPathTests {
  /// Explains a file that the service could write if its mount were not read-only.
  private static func file(
    isRunning: Bool = false, protected: [String] = [], path: String = "/srv/file"
  ) -> Explanation {
    Fixtures.camera.with {
      $0.ask(path, .regular, mode: 0o666)
      $0.facts.access.mounts[0].readOnly = true
      $0.facts.confinement.unit = "motion.service"
      var service = ServiceFacts()
      service.isRunning = isRunning
      service.protected = protected.map { ServiceFacts.Protection($0) }
      $0.facts.confinement.service = service
    }.explain()
  }

  private static func isDropIn(_ remedy: Remedy) -> Bool {
    remedy.commands.contains { $0.contains("ReadWritePaths=/srv/file") }
  }

  private static func isRemount(_ remedy: Remedy) -> Bool {
    remedy.commands.contains { $0.hasPrefix("mount -o remount,bind,rw") }
  }

  @Test
  func `is spared by a setting, which is proven, and by no remount`() throws {
    let explanation = Self.file(protected: ["/"])
    #expect(explanation.decision.rule == .mountReadOnly)
    let remedy = try #require(explanation.remedies.first(where: Self.isDropIn))
    #expect(remedy.assumes == nil && remedy.takesEffect == "when motion.service is restarted")
    #expect(remedy.commands.last == "systemctl restart motion.service")
    #expect(remedy.gains.isEmpty, "only the service sees its mounts")
    #expect(!explanation.remedies.contains(where: Self.isRemount))
  }

  @Test
  func `is not spared where the settings name the very path`() {
    let explanation = Self.file(protected: ["/", "/srv/file"])
    #expect(!explanation.remedies.contains(where: Self.isDropIn))
  }

  @Test
  func `is remounted without a condition where the settings leave it alone`() throws {
    let explanation = Self.file()
    let remedy = try #require(explanation.remedies.first(where: Self.isRemount))
    #expect(remedy.assumes == nil)
    #expect(!explanation.remedies.contains(where: Self.isDropIn))
  }

  @Test
  func `may be either while the service runs, each on its condition`() throws {
    let explanation = Self.file(isRunning: true)
    let dropIn = try #require(explanation.remedies.first(where: Self.isDropIn))
    let remount = try #require(explanation.remedies.first(where: Self.isRemount))
    #expect(dropIn.assumes != nil && remount.assumes != nil)
  }

  @Test
  func `is no longer protected after the change, with what lies below it`() throws {
    var facts = Fixtures.camera.facts
    facts.confinement.service = ServiceFacts()
    facts.confinement.service?.protected = [
      ServiceFacts.Protection("/"), ServiceFacts.Protection("/srv/a"),
      ServiceFacts.Protection("/srv/b", isReadOnlyOutside: true),
    ]
    facts.access.mounts = [Mount(at: "/", fstype: "ext4"), Mount(at: "/srv/a", fstype: "ext4")]
    facts.access.mounts.append(Mount(at: "/srv/b", fstype: "ext4"))
    for index in facts.access.mounts.indices { facts.access.mounts[index].readOnly = true }
    let after = try #require(FactsChange.spare(path: "/srv").applied(to: facts))
    let writable = after.access.mounts.filter { !$0.readOnly }.map(\.at)
    #expect(writable == ["/srv/a", "/srv"], "what is read-only outside stays so")
    #expect(FactsChange.spare(path: "/srv/a").applied(to: facts) == nil)
    #expect(FactsChange.spare(path: "/srv/b/x").applied(to: facts) == nil)
  }
}

import AccessModel
import Testing

/// Grants whose text mentions what could still refuse access.
@Suite struct `A doubt about a grant` {
  /// A camera that the kernel's own check grants, on a kernel with security modules of every kind.
  private static let granted = Fixtures.camera.with {
    $0.join(Fixtures.video)
    $0.facts.confinement.securityModules = ["capability", "landlock", "apparmor", "bpf"]
    $0.facts.confinement.label = "unconfined"
    $0.check([.read, .write], 0)
  }

  @Test func `needs a sign, and the modules that a kernel lists are none`() {
    let explanation = Self.granted.explain()
    #expect(explanation.answer == .allowed)
    #expect(explanation.doubts == [])
    // The JSON still says why the grant is not proven.
    #expect(explanation.answerCertainty == .predicted)
    #expect(explanation.unobserved.map(\.layer) == ["landlock", "bpf"])
  }

  struct Sign: CustomTestStringConvertible, Sendable {
    var situation: String
    var doubt: String?
    var change: @Sendable (inout AccessFacts) -> Void

    init(
      _ situation: String, _ doubt: String?,
      _ change: @escaping @Sendable (inout AccessFacts) -> Void
    ) {
      self.situation = situation
      self.doubt = doubt
      self.change = change
    }

    var testDescription: String { situation }
  }

  private static let signs = [
    Sign("a label", "the AppArmor profile cam") { $0.confinement.label = "cam (enforce)" },
    Sign("a complaining label", nil) { $0.confinement.label = "cam (complain)" },
    Sign("an SELinux domain", "SELinux (label u:r:trivalent_t:s0)") {
      $0.confinement.securityModules = ["selinux"]
      $0.confinement.label = "u:r:trivalent_t:s0"
      $0.confinement.selinuxEnforcing = true
    },
    Sign("the SELinux domain of logins", nil) {
      $0.confinement.securityModules = ["selinux"]
      $0.confinement.label = "unconfined_u:unconfined_r:unconfined_t:s0-s0:c0.c1023"
      $0.confinement.selinuxEnforcing = true
    },
    Sign("a filter", "a seccomp filter") { $0.confinement.seccompMode = 2 },
    Sign("an unknown filter", nil) { $0.confinement.seccompMode = nil },
    Sign("no_new_privs", "a Landlock domain (no_new_privs is set)") {
      $0.access.subject.noNewPrivileges = true
    },
    Sign("no_new_privs without Landlock", nil) {
      $0.confinement.securityModules = ["capability", "bpf"]
      $0.access.subject.noNewPrivileges = true
    },
    Sign("a container", "the docker container") { $0.confinement.container = "docker" },
    Sign("a sandbox", "the flatpak sandbox") { $0.confinement.container = "flatpak" },
    Sign("a user namespace", "the user namespace") {
      let map = IDMap([IDMap.Range(inside: 0, outside: 0, length: 65536)])
      $0.access.subject.userNamespace = IDMapping(users: map, groups: map)
    },
    Sign("a BPF program", "the BPF program guard") {
      $0.confinement.securityPrograms = ["restrict_filesy", "guard"]
    },
    Sign("the program of systemd for other units", nil) {
      $0.confinement.securityPrograms = ["restrict_filesy"]
    },
    Sign("the program of systemd in a unit", "the BPF program restrict_filesy") {
      $0.confinement.securityPrograms = ["restrict_filesy"]
      $0.confinement.unit = "cam.service"
    },
  ]

  @Test(arguments: signs) func `names the sign`(_ sign: Sign) {
    let explanation = Self.granted.with { sign.change(&$0.facts) }.explain()
    #expect(explanation.answer == .allowed)
    #expect(explanation.doubts == [sign.doubt].compactMap(\.self))
  }

  @Test func `ends with an open that succeeded`() {
    let explanation = Self.granted.with {
      $0.facts.confinement.seccompMode = 2
      $0.facts.confinement.label = "cam (enforce)"
      $0.try(.open, 0)
    }.explain()
    #expect(explanation.answer == .allowed)
    #expect(explanation.answerCertainty == .proven)
    #expect(explanation.doubts == [])
    #expect(explanation.unobserved == [])
  }

  @Test func `is not raised about a refusal`() {
    let explanation = Fixtures.camera.with { $0.facts.confinement.seccompMode = 2 }.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.doubts == [])
  }
}

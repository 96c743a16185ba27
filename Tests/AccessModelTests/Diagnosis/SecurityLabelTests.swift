import Testing

@testable import AccessModel

@Suite struct `A security label` {
  private static func confinement(_ label: String?, _ modules: [String]?) -> ConfinementFacts {
    var confinement = ConfinementFacts()
    confinement.label = label
    confinement.securityModules = modules
    confinement.seccompMode = 0
    return confinement
  }

  @Test(
    arguments: [
      ("cam (enforce)", nil, "AppArmor cam"), ("a b (mixed)", nil, "AppArmor a b"),
      ("cam (kill)", nil, "AppArmor cam"), ("cam (user)", nil, "AppArmor cam"),
      ("cam (complain)", ["apparmor"], nil), ("cam (unconfined)", ["apparmor"], nil),
      ("unconfined", ["apparmor"], nil), ("cam", ["apparmor"], "AppArmor cam"), ("cam", nil, nil),
      ("System", ["smack"], "Smack System"), ("System", ["yama"], nil),
      ("u:r:t:s0", nil, "SELinux u:r:t:s0"), ("u:r:t:s0", ["selinux"], "SELinux u:r:t:s0"),
      ("u:r:t:s0", ["yama"], nil), ("kernel", ["selinux"], nil), ("", ["smack"], nil),
      (nil, ["apparmor"], nil),
    ] as [(String?, [String]?, String?)])
  func `is enforced by the module whose form it has`(
    label: String?, modules: [String]?, expected: String?
  ) {
    let enforced = Self.confinement(label, modules).enforcedLabel
    #expect(enforced.map { "\($0.module) \($0.name)" } == expected)
    #expect(enforced.map { $0.actsInChecks == ($0.module != "AppArmor") } ?? true)
  }

  /// A grant is proven only if nothing else could refuse access.
  @Test(
    arguments: [
      ("unconfined", ["capability", "apparmor"], false), (nil, ["apparmor"], true),
      ("cam (enforce)", ["apparmor"], true), ("cam (complain)", ["apparmor"], true),
      ("kernel", ["selinux"], false), ("u:r:t:s0", ["selinux"], true), ("x", ["yama"], false),
      ("x", ["landlock"], true), ("x", ["tomoyo"], true), ("x", ["bpf"], true), ("x", nil, true),
    ] as [(String?, [String]?, Bool)])
  func `may refuse what the kernel's check grants`(
    label: String?, modules: [String]?, expected: Bool
  ) {
    var confinement = Self.confinement(label, modules)
    #expect(confinement.canRefuseUnseen == expected)
    confinement.seccompMode = 2
    #expect(confinement.canRefuseUnseen)
  }

  @Test(
    arguments: [
      (["smack"], "x", nil, true), (["selinux"], "u:r:t:s0", nil, true),
      (["selinux"], "u:r:t:s0", false, false), (["selinux"], "kernel", nil, false),
      (["apparmor"], "cam (enforce)", nil, false), (nil, "u:r:t:s0", nil, true),
      (nil, "cam (enforce)", nil, false), (nil, nil, nil, false),
    ] as [([String]?, String?, Bool?, Bool)])
  func `acts in the kernel's check`(
    modules: [String]?, label: String?, isEnforcing: Bool?, expected: Bool
  ) {
    var confinement = Self.confinement(label, modules)
    confinement.selinuxEnforcing = isEnforcing
    #expect(confinement.hasLabelModule == expected)
  }
}

/// The keys as they are written, and what each takes.
struct UdevRuleKeyEntry {
  enum Braces {
    case none
    case optional
    case needed
    /// Needed, and may hold substitutions.
    case substituted
  }

  let braces: Braces
  /// What it does with `==` and `!=`; `nil` when it takes neither.
  let match: UdevRuleKey?
  /// What it does with the other operators; `nil` when it takes none.
  let assignment: UdevRuleKey?
  var takesRemove = false
  /// The operators for which `=` is assumed.
  var assumed: Set<UdevRuleOperator> = []
  /// Whether that is worth a word; `OPTIONS+=` is as good as `OPTIONS=`.
  var isSilent = false

  static func find(_ name: ArraySlice<UInt8>, _ version: UdevRuleVersion) -> UdevRuleKeyEntry? {
    guard let entry = table[UdevRuleText(Array(name))] else { return nil }
    return entry.match == .waitFor && !version.waitsForFiles ? nil : entry
  }

  private static func ask(_ key: UdevRuleKey, _ braces: Braces = .none) -> UdevRuleKeyEntry {
    UdevRuleKeyEntry(braces: braces, match: key, assignment: nil)
  }

  private static let table: [UdevRuleText: UdevRuleKeyEntry] = [
    "ACTION": ask(.action), "DEVPATH": ask(.devicePath), "KERNEL": ask(.kernel),
    "SUBSYSTEM": ask(.subsystem), "DRIVER": ask(.driver), "KERNELS": ask(.parentKernel),
    "SUBSYSTEMS": ask(.parentSubsystem), "DRIVERS": ask(.parentDriver), "TAGS": ask(.parentTag),
    "ATTRS": ask(.parentAttribute, .substituted), "CONST": ask(.constant, .needed),
    "TEST": ask(.test, .optional), "RESULT": ask(.result),
    "SYMLINK": UdevRuleKeyEntry(
      braces: .none, match: .link, assignment: .addLink, takesRemove: true),
    "NAME": UdevRuleKeyEntry(braces: .none, match: .name, assignment: .setName, assumed: [.add]),
    "ENV": UdevRuleKeyEntry(
      braces: .needed, match: .property, assignment: .setProperty, assumed: [.assignFinally]),
    "TAG": UdevRuleKeyEntry(
      braces: .none, match: .tag, assignment: .addTag, takesRemove: true,
      assumed: [.assignFinally]),
    "ATTR": UdevRuleKeyEntry(
      braces: .substituted, match: .attribute, assignment: .setAttribute,
      assumed: [.add, .assignFinally]),
    "SYSCTL": UdevRuleKeyEntry(
      braces: .substituted, match: .sysctl, assignment: .setSysctl,
      assumed: [.add, .assignFinally]),
    // With these an assignment asks too.
    "PROGRAM": UdevRuleKeyEntry(braces: .none, match: .program, assignment: .program),
    "IMPORT": UdevRuleKeyEntry(braces: .needed, match: .importFile, assignment: .importFile),
    "WAIT_FOR": UdevRuleKeyEntry(braces: .optional, match: .waitFor, assignment: .waitFor),
    "WAIT_FOR_SYSFS": UdevRuleKeyEntry(braces: .optional, match: .waitFor, assignment: .waitFor),
    "OPTIONS": UdevRuleKeyEntry(
      braces: .none, match: nil, assignment: .watch, assumed: [.add], isSilent: true),
    "OWNER": UdevRuleKeyEntry(braces: .none, match: nil, assignment: .owner, assumed: [.add]),
    "GROUP": UdevRuleKeyEntry(braces: .none, match: nil, assignment: .group, assumed: [.add]),
    "MODE": UdevRuleKeyEntry(braces: .none, match: nil, assignment: .mode, assumed: [.add]),
    "SECLABEL": UdevRuleKeyEntry(
      braces: .needed, match: nil, assignment: .securityLabel, assumed: [.assignFinally]),
    "RUN": UdevRuleKeyEntry(braces: .optional, match: nil, assignment: .runProgram),
  ]
}

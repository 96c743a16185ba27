/// The syntax of a key: its braces and the operators that it accepts.
package struct UdevRuleKeyEntry {
  enum Braces {
    case none
    case optional
    case needed
    /// Needed, with substitutions allowed.
    case substituted
  }

  let braces: Braces
  /// The kind of match with `==` or `!=`; `nil` if the key accepts neither.
  let match: UdevRuleKey?
  /// The kind of assignment with the other operators; `nil` if the key accepts none of them.
  let assignment: UdevRuleKey?
  var takesRemove = false
  /// A Boolean value that indicates whether udevd treats `+=` as `=`.
  var assumesForAdd = false
  /// A Boolean value that indicates whether udevd treats `:=` as `=`.
  var assumesForFinal = false
  /// A Boolean value that indicates whether udevd treats the operator as `=` without a warning, as
  /// in `OPTIONS+=`.
  var isSilent = false

  package static func find(
    _ name: ArraySlice<UInt8>, _ version: UdevRuleVersion
  ) -> UdevRuleKeyEntry? {
    find(UdevRuleKeyName(name), version)
  }

  static func find(_ name: UdevRuleKeyName?, _ version: UdevRuleVersion) -> UdevRuleKeyEntry? {
    guard let name else { return nil }
    for known in table where known.name == name {
      return known.entry.match == .waitFor && !version.waitsForFiles ? nil : known.entry
    }
    return nil
  }

  /// Returns whether udevd treats an operator as `=`.
  func isAssumed(_ comparison: UdevRuleOperator) -> Bool {
    comparison == .add && assumesForAdd || comparison == .assignFinally && assumesForFinal
  }

  private static func ask(_ key: UdevRuleKey, _ braces: Braces = .none) -> UdevRuleKeyEntry {
    UdevRuleKeyEntry(braces: braces, match: key, assignment: nil)
  }

  // Frequent keys come first.
  private static let table: [(name: UdevRuleKeyName, entry: UdevRuleKeyEntry)] = entries.compactMap
  { name, entry in UdevRuleKeyName(name.utf8).map { (name: $0, entry: entry) } }

  private static let entries: [(String, UdevRuleKeyEntry)] = [
    (
      "ENV",
      UdevRuleKeyEntry(
        braces: .needed, match: .property, assignment: .setProperty, assumesForFinal: true)
    ),
    ("ATTRS", ask(.parentAttribute, .substituted)), ("KERNEL", ask(.kernel)),
    ("SUBSYSTEM", ask(.subsystem)),
    // Some assignments are also matches.
    ("IMPORT", UdevRuleKeyEntry(braces: .needed, match: .importFile, assignment: .importFile)),
    (
      "SYMLINK",
      UdevRuleKeyEntry(
        braces: .none, match: .link, assignment: .addLink, takesRemove: true)
    ),
    (
      "TAG",
      UdevRuleKeyEntry(
        braces: .none, match: .tag, assignment: .addTag, takesRemove: true,
        assumesForFinal: true)
    ),
    ("SUBSYSTEMS", ask(.parentSubsystem)), ("ACTION", ask(.action)),
    (
      "ATTR",
      UdevRuleKeyEntry(
        braces: .substituted, match: .attribute, assignment: .setAttribute,
        assumesForAdd: true, assumesForFinal: true)
    ),
    ("DEVPATH", ask(.devicePath)), ("DRIVER", ask(.driver)), ("KERNELS", ask(.parentKernel)),
    ("DRIVERS", ask(.parentDriver)), ("TAGS", ask(.parentTag)),
    ("CONST", ask(.constant, .needed)), ("TEST", ask(.test, .optional)), ("RESULT", ask(.result)),
    (
      "NAME",
      UdevRuleKeyEntry(braces: .none, match: .name, assignment: .setName, assumesForAdd: true)
    ),
    (
      "SYSCTL",
      UdevRuleKeyEntry(
        braces: .substituted, match: .sysctl, assignment: .setSysctl,
        assumesForAdd: true, assumesForFinal: true)
    ),
    ("PROGRAM", UdevRuleKeyEntry(braces: .none, match: .program, assignment: .program)),
    ("WAIT_FOR", UdevRuleKeyEntry(braces: .optional, match: .waitFor, assignment: .waitFor)),
    ("WAIT_FOR_SYSFS", UdevRuleKeyEntry(braces: .optional, match: .waitFor, assignment: .waitFor)),
    (
      "OPTIONS",
      UdevRuleKeyEntry(
        braces: .none, match: nil, assignment: .watch, assumesForAdd: true, isSilent: true)
    ),
    ("OWNER", UdevRuleKeyEntry(braces: .none, match: nil, assignment: .owner, assumesForAdd: true)),
    ("GROUP", UdevRuleKeyEntry(braces: .none, match: nil, assignment: .group, assumesForAdd: true)),
    ("MODE", UdevRuleKeyEntry(braces: .none, match: nil, assignment: .mode, assumesForAdd: true)),
    (
      "SECLABEL",
      UdevRuleKeyEntry(
        braces: .needed, match: nil, assignment: .securityLabel, assumesForFinal: true)
    ),
    ("RUN", UdevRuleKeyEntry(braces: .optional, match: nil, assignment: .runProgram)),
  ]
}

/// The name of a key, packed into integers for fast lookup.
struct UdevRuleKeyName: Hashable, Sendable {
  /// Collects a name byte by byte.
  struct Reader {
    private var head: UInt64 = 0
    private var tail: UInt64 = 0
    private var count = 0

    mutating func add(_ byte: UInt8) {
      head = head << 8 | tail >> 56
      tail = tail << 8 | UInt64(byte)
      count += 1
    }

    /// The name; `nil` if it is longer than any key.
    var name: UdevRuleKeyName? {
      count <= 16 ? UdevRuleKeyName(head: head, tail: tail, count: count) : nil
    }
  }

  private let head: UInt64
  private let tail: UInt64
  private let count: Int

  private init(head: UInt64, tail: UInt64, count: Int) {
    self.head = head
    self.tail = tail
    self.count = count
  }

  /// Creates a name; fails if it is longer than any key.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count <= 16 else { return nil }
    var reader = Reader()
    for byte in bytes { reader.add(byte) }
    guard let name = reader.name else { return nil }
    self = name
  }
}

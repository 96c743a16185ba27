internal import AccessModel

/// The parts of a unit's settings that were not understood.
///
/// One version of systemd ignores values that another version understands. Therefore an unknown
/// value may restrict the unit, unless every version ignores it.
struct UnparsedUnitSettings {
  /// The possible restrictions in the order of their settings, with the setting that causes each
  /// one.
  private var list: [(key: String, doubt: UnitSettings.Doubt)] = []
  /// Problems that do not restrict the unit but are reported.
  private(set) var problems: [String] = []

  /// The maximum number of entries; more would not change the result.
  private static let most = 64

  /// The possible restrictions.
  var all: [UnitSettings.Doubt] { list.map(\.doubt) }

  /// Removes the doubts about previous values of a setting, which a new value replaces.
  mutating func settle(_ key: String) { list.removeAll { $0.key == key } }

  /// Adds a doubt about the value of a setting, with the reason as a clause.
  mutating func add(_ key: String, _ reason: String) {
    // A setting that only exempts a path from other settings does not restrict anything.
    guard !key.hasPrefix("ReadWrite") else { return tell(reason) }
    guard list.count < Self.most else { return }
    list.append((key, UnitSettings.Doubt(reason, UnitSettings.concern(of: key))))
  }

  /// Adds a doubt that a setting causes regardless of its value, or removes it if the setting is
  /// empty.
  mutating func note(_ doubt: UnitSettings.Doubt, _ key: String, isSet: Bool) {
    settle(key)
    if isSet { list.append((key, doubt)) }
  }

  /// Records an unknown value.
  ///
  /// - Parameters:
  ///   - key: The setting.
  ///   - value: The value, or a part of it.
  ///   - isDoubt: Whether the value may restrict the unit in some version of systemd.
  mutating func complain(_ key: String, _ value: String, isDoubt: Bool = true) {
    let text = String(repairing: Array(value.utf8), limit: 80)
    let reason =
      text.isEmpty
      ? "\(key)= is empty, which not every version of systemd understands"
      : "\(key)= has the unknown value '\(text)'"
    if isDoubt { add(key, reason) } else { tell(reason) }
  }

  private mutating func tell(_ problem: String) {
    if problems.count < Self.most { problems.append(problem) }
  }
}

internal import AccessModel

/// What was not understood of a unit's settings.
///
/// One version of systemd passes over what another understands, so that a value that is not known may
/// restrict the unit unless every version passes it over.
struct UnitDoubts {
  /// What each setting may restrict, in their order.
  private var list: [(key: String, doubt: UnitSettings.Doubt)] = []
  /// What restricts nothing, and is told all the same.
  private(set) var problems: [String] = []

  /// However many there are, they come to the same.
  private static let most = 64

  /// What the settings may restrict.
  var all: [UnitSettings.Doubt] { list.map(\.doubt) }

  /// Ends the doubt about the values before one that takes their place.
  mutating func settle(_ key: String) { list.removeAll { $0.key == key } }

  /// Keeps what is not known of the value of a setting, for a reason in words.
  mutating func add(_ key: String, _ reason: String) {
    // What only spares a path from other settings restricts nothing.
    guard !key.hasPrefix("ReadWrite") else { return tell(reason) }
    guard list.count < Self.most else { return }
    list.append((key, UnitSettings.Doubt(reason, UnitSettings.concern(of: key))))
  }

  /// Keeps a doubt that a setting raises whatever its value is.
  mutating func note(_ doubt: UnitSettings.Doubt, _ key: String, isSet: Bool) {
    settle(key)
    if isSet { list.append((key, doubt)) }
  }

  /// Tells a value that is not known.
  ///
  /// - Parameters:
  ///   - key: The setting.
  ///   - value: The value, or a part of it.
  ///   - isDoubt: Whether it may restrict the unit in some version of systemd.
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

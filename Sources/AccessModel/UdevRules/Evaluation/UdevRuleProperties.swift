/// The properties of a device, some of which may be unknown.
struct UdevRuleProperties {
  /// Properties that were set by something unknown.
  private struct Haze {
    let prefixes: [UdevRuleText]?
    let doubt: UdevRuleDoubt

    func covers(_ name: UdevRuleText) -> Bool {
      prefixes?.contains(where: name.hasPrefix) ?? true
    }
  }

  private var values: [UdevRuleText: UdevRuleKnown<UdevRuleText?>] = [:]
  private var hazes: [Haze] = []

  init(_ values: [UdevRuleText: UdevRuleText] = [:]) {
    self.values = values.mapValues { .value($0) }
  }

  subscript(name: UdevRuleText) -> UdevRuleKnown<UdevRuleText?> {
    if let value = values[name] { return value }
    guard let haze = hazes.last(where: { $0.covers(name) }) else { return .value(nil) }
    return .unknown(haze.doubt)
  }

  mutating func set(
    _ name: UdevRuleText, _ value: UdevRuleKnown<UdevRuleText?>, _ certainty: Ternary,
    _ doubt: UdevRuleDoubt
  ) {
    values[name] = certainty == .yes ? value : self[name].joined(value, doubt)
  }

  /// Forgets what something unknown may have set: names that begin so, or all of them.
  ///
  /// What the kernel says of the device is never set so.
  mutating func doubt(
    prefixes: [UdevRuleText]?, keeping kept: Set<UdevRuleText>, _ doubt: UdevRuleDoubt
  ) {
    let haze = Haze(prefixes: prefixes, doubt: doubt)
    for name in values.keys where haze.covers(name) && !kept.contains(name) {
      values[name] = .unknown(doubt)
    }
    hazes.append(haze)
  }

  /// All that is known to be set.
  var known: [UdevRuleText: UdevRuleText] {
    values.compactMapValues { $0.known ?? nil }
  }

  /// Why a property is not known, for those that are not.
  var doubts: [UdevRuleText: UdevRuleDoubt] { values.compactMapValues(\.doubt) }

  /// Whether there may be others.
  var mayHaveOthers: Bool { !hazes.isEmpty }
}

/// The properties of a device, some of which may be unknown.
struct UdevRuleProperties {
  private struct Setting {
    let value: UdevRuleKnown<UdevRuleText?>
    /// The number of unknown sources before the setting.
    let time: Int
  }

  /// An unknown source that may have set properties.
  private struct Haze {
    let doubt: UdevRuleDoubt
    /// The position among the unknown sources, counted from 1.
    let time: Int
  }

  private var settings: [UdevRuleText: Setting]
  /// The last unknown source for each prefix of property names; the empty prefix stands for all
  /// names.
  ///
  /// There are only a few prefixes, because only built-in commands have their own. A property is
  /// compared with them only when it is read, since thousands of lines may be uncertain, and
  /// thousands of properties may be set.
  private var hazes: [UdevRuleText: Haze] = [:]
  private var time = 0
  /// The names of the properties that no unknown source sets.
  private let kept: Set<UdevRuleText>

  /// Creates properties with known values.
  ///
  /// - Parameters:
  ///   - values: The properties.
  ///   - kept: The names of the properties that come from the kernel, which no unknown source sets.
  init(_ values: [UdevRuleText: UdevRuleText] = [:], keeping kept: Set<UdevRuleText> = []) {
    settings = values.mapValues { Setting(value: .value($0), time: 0) }
    self.kept = kept
  }

  subscript(name: UdevRuleText) -> UdevRuleKnown<UdevRuleText?> {
    let setting = settings[name]
    if let setting, kept.contains(name) { return setting.value }
    let haze = haze(over: name)
    if let haze, haze.time > setting?.time ?? 0 { return .unknown(haze.doubt) }
    return setting?.value ?? .value(nil)
  }

  private func haze(over name: UdevRuleText) -> Haze? {
    guard mayHaveOthers else { return nil }
    return hazes.lazy.filter { name.hasPrefix($0.key) }.map(\.value).max { $0.time < $1.time }
  }

  mutating func set(
    _ name: UdevRuleText, _ value: UdevRuleKnown<UdevRuleText?>, _ certainty: UdevRuleCertainty,
    _ doubt: UdevRuleDoubt
  ) {
    let value = certainty == .yes ? value : self[name].joined(value, doubt)
    settings[name] = Setting(value: value, time: time)
  }

  /// Marks as unknown the properties with any of the prefixes, or all if `prefixes` is `nil`.
  mutating func doubt(prefixes: [UdevRuleText]?, _ doubt: UdevRuleDoubt) {
    time += 1
    for prefix in prefixes ?? [""] { hazes[prefix] = Haze(doubt: doubt, time: time) }
  }

  /// The properties that are known to be set.
  var known: [UdevRuleText: UdevRuleText] {
    Dictionary(
      uniqueKeysWithValues: settings.keys.compactMap { name in
        (self[name].known ?? nil).map { (name, $0) }
      })
  }

  /// The reasons why properties are unknown, keyed by name.
  var doubts: [UdevRuleText: UdevRuleDoubt] {
    Dictionary(
      uniqueKeysWithValues: settings.keys.compactMap { name in
        self[name].doubt.map { (name, $0) }
      })
  }

  /// A Boolean value that indicates whether there may be other properties.
  var mayHaveOthers: Bool { time > 0 }
}

/// A set of tags or links, some of which may be uncertain.
struct UdevRuleMembers {
  private var certainties: [UdevRuleText: UdevRuleCertainty] = [:]
  /// The number of uncertain members.
  private var doubtful = 0
  /// The reason why the set may have further, unknown members; `nil` if it has none.
  private(set) var others: UdevRuleDoubt?

  init(_ members: some Sequence<UdevRuleText> = [], _ certainty: UdevRuleCertainty = .yes) {
    for member in members { set(member, certainty) }
  }

  mutating func add(_ member: UdevRuleKnown<UdevRuleText>, _ certainty: UdevRuleCertainty) {
    switch member {
    case .value(let text): set(text, max(certainties[text] ?? .no, certainty))
    case .unknown(let doubt): others = others ?? doubt
    }
  }

  mutating func remove(_ member: UdevRuleKnown<UdevRuleText>, _ certainty: UdevRuleCertainty) {
    switch member {
    case .value(let text):
      if certainty == .yes {
        set(text, nil)
      } else if certainties[text] == .yes {
        set(text, .maybe)
      }
    case .unknown:
      weaken()
    }
  }

  mutating func removeAll(_ certainty: UdevRuleCertainty) {
    if certainty == .yes {
      self = UdevRuleMembers()
    } else {
      weaken()
    }
  }

  mutating func doubtAll(_ doubt: UdevRuleDoubt) {
    others = others ?? doubt
  }

  private mutating func set(_ text: UdevRuleText, _ certainty: UdevRuleCertainty?) {
    if certainties[text] == .maybe { doubtful -= 1 }
    if certainty == .maybe { doubtful += 1 }
    // Only certain and uncertain members are stored.
    certainties[text] = certainty == .no ? nil : certainty
  }

  private mutating func weaken() {
    guard doubtful < certainties.count else { return }
    certainties = certainties.mapValues { _ in .maybe }
    doubtful = certainties.count
  }

  /// Returns whether any member satisfies a predicate.
  func contains(where isMatch: (UdevRuleText) -> Bool) -> UdevRuleCertainty {
    var found: UdevRuleCertainty = others == nil ? .no : .maybe
    for (text, certainty) in certainties where isMatch(text) { found = max(found, certainty) }
    return found
  }

  /// Returns whether the set has any member other than the given texts.
  func contains(otherThan texts: Set<UdevRuleText>) -> UdevRuleCertainty {
    var certain = certainties.count - doubtful
    var possible = doubtful
    for text in texts {
      switch certainties[text] {
      case .yes: certain -= 1
      case .maybe: possible -= 1
      case .no, nil: break
      }
    }
    if certain > 0 { return .yes }
    return possible > 0 || others != nil ? .maybe : .no
  }

  /// Returns whether the set contains a text.
  func contains(_ text: UdevRuleText) -> UdevRuleCertainty {
    max(certainties[text] ?? .no, others == nil ? .no : .maybe)
  }

  /// A Boolean value that indicates whether all members are known and certain.
  var isKnown: Bool { others == nil && doubtful == 0 }

  /// The number of certain and uncertain members.
  var count: Int { certainties.count }

  /// The only member, certain or uncertain; `nil` if there are none or several.
  var only: UdevRuleText? { certainties.count == 1 ? certainties.keys.first : nil }

  /// The certain members.
  var certain: Set<UdevRuleText> { Set(certainties.filter { $0.value == .yes }.keys) }
}

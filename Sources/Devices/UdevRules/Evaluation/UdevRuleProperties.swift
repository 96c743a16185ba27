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

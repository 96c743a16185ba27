/// The properties of a device, some of which may be unknown.
struct UdevRuleProperties {
  private struct Setting {
    let value: UdevRuleKnown<UdevRuleText?>
    /// How many unknown things came before it.
    let time: Int
  }

  /// Something unknown that may have set properties.
  private struct Haze {
    let doubt: UdevRuleDoubt
    /// Which of the unknown things it is, counted from 1.
    let time: Int
  }

  private var settings: [UdevRuleText: Setting]
  /// The last unknown thing by what the names of its properties begin with, which is nothing where it may
  /// set any.
  ///
  /// These are few, as only commands of udevd have beginnings of their own. Each property is compared with
  /// them when it is asked for: thousands of lines may be in doubt, and thousands of properties set.
  private var hazes: [UdevRuleText: Haze] = [:]
  private var time = 0
  /// What nothing unknown sets.
  private let kept: Set<UdevRuleText>

  /// Takes properties that are known.
  ///
  /// - Parameters:
  ///   - values: The properties.
  ///   - kept: Those of them that nothing unknown sets, as they are what the kernel says of the device.
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
    _ name: UdevRuleText, _ value: UdevRuleKnown<UdevRuleText?>, _ certainty: Ternary,
    _ doubt: UdevRuleDoubt
  ) {
    let value = certainty == .yes ? value : self[name].joined(value, doubt)
    settings[name] = Setting(value: value, time: time)
  }

  /// Forgets what something unknown may have set: names that begin so, or all of them.
  mutating func doubt(prefixes: [UdevRuleText]?, _ doubt: UdevRuleDoubt) {
    time += 1
    for prefix in prefixes ?? [""] { hazes[prefix] = Haze(doubt: doubt, time: time) }
  }

  /// All that is known to be set.
  var known: [UdevRuleText: UdevRuleText] {
    Dictionary(
      uniqueKeysWithValues: settings.keys.compactMap { name in
        (self[name].known ?? nil).map { (name, $0) }
      })
  }

  /// Why a property is not known, for those that are not.
  var doubts: [UdevRuleText: UdevRuleDoubt] {
    Dictionary(
      uniqueKeysWithValues: settings.keys.compactMap { name in
        self[name].doubt.map { (name, $0) }
      })
  }

  /// Whether there may be others.
  var mayHaveOthers: Bool { time > 0 }
}

/// The state of an event while rules are applied to it.
struct UdevRuleRun {
  /// The replacement of characters in the values of a line.
  enum Escaping {
    case usual, none, replace
  }

  let event: UdevRuleEvent
  let environment: UdevRuleEnvironment
  /// The device, followed by its parents.
  let chain: [UdevRuleDevice]
  /// The kernel names of the device and its parents.
  let names: [UdevRuleText]
  let isRemoval: Bool
  /// A Boolean value that indicates whether the report contains only the outcomes of undetermined
  /// lines.
  let isBrief: Bool

  var properties: UdevRuleProperties
  /// The properties that rules have set.
  var database = UdevRuleProperties()
  var tags: UdevRuleMembers { didSet { listsAreOld = true } }
  var currentTags: UdevRuleMembers { didSet { listsAreOld = true } }
  var links: UdevRuleMembers { didSet { listsAreOld = true } }
  /// The last values of the properties that list tags and links; udevd does not make them empty
  /// again.
  var listProperties: [UdevRuleText: UdevRuleKnown<UdevRuleText?>] = [:]
  /// A Boolean value that indicates whether tags or links may have changed since these values were
  /// computed.
  var listsAreOld = true

  var owner = UdevRuleSetting()
  var group = UdevRuleSetting()
  var mode = UdevRuleSetting()
  var interfaceName: UdevRuleKnown<UdevRuleText?> = .value(nil)
  var linkPriority: UdevRuleKnown<Int32> = .value(0)
  var nameFixing = UdevRuleFixing()
  var linkFixing = UdevRuleFixing()
  var commandFixing = UdevRuleFixing()
  var watchFixing = UdevRuleFixing()

  /// The index of the device that satisfied the last line with matches on parents.
  var parent: UdevRuleKnown<Int?> = .value(nil)
  /// The output of the last `PROGRAM`.
  var programResult: UdevRuleKnown<UdevRuleText?> = .value(nil)
  /// The built-in commands that have run, with their success.
  var builtins: [UdevRuleBuiltin: UdevRuleKnown<Bool>] = [:]
  /// The paths of the attributes that have been read; udevd does not read them again.
  var readAttributes: Set<UdevRuleText> = []
  /// The paths of the attributes that lines may have written.
  var writtenAttributes: Set<UdevRuleText> = []

  // The state of the current line.
  var place = UdevRulePlace(path: "", line: 0)
  var certainty: UdevRuleCertainty = .yes
  var escaping: Escaping = .usual
  var doubts: [UdevRuleDoubt] = []

  var report = UdevRuleReport()
  /// The effects that no line has replaced yet, grouped by kind of subject and by subject.
  var standing: [UdevRuleEffect.Subject.Kind: [UdevRuleEffect.Subject: [Standing]]] = [:]

  /// Effects with equal values.
  ///
  /// They are grouped by value, because thousands of lines may have the same effect.
  struct Standing {
    let value: UdevRuleKnown<UdevRuleText>?
    /// The indices of the effects in the report.
    var effects: [Int]
  }

  init(_ event: UdevRuleEvent, _ environment: UdevRuleEnvironment, isBrief: Bool = false) {
    self.event = event
    self.environment = environment
    self.isBrief = isBrief
    chain = event.chain
    names = chain.map { $0.name }
    isRemoval = event.action == "remove"
    let record = event.record ?? UdevRuleEvent.Record()
    var all = event.device.properties
    tags = UdevRuleMembers(record.tags)
    // When a device is removed, udevd uses its database entry.
    if isRemoval {
      all.merge(record.properties) { _, new in new }
      database = UdevRuleProperties(record.properties)
      currentTags = Self.current(record.currentTags, among: record.tags)
      links = UdevRuleMembers(record.links)
    } else {
      currentTags = UdevRuleMembers()
      links = UdevRuleMembers()
    }
    properties = UdevRuleProperties(all, keeping: Set(event.device.properties.keys))
    if event.record == nil {
      tags.doubtAll(.database)
      if isRemoval {
        currentTags.doubtAll(.database)
        links.doubtAll(.database)
        properties.doubt(prefixes: nil, .database)
      }
    }
  }

  /// Returns the current tags; if they were not observed, any tag of the device may be current.
  static func current(
    _ tags: Set<UdevRuleText>?, among all: Set<UdevRuleText>
  ) -> UdevRuleMembers {
    tags.map { UdevRuleMembers($0) } ?? UdevRuleMembers(all, .maybe)
  }

  /// The doubt about the values that the current line may have set.
  var lineDoubt: UdevRuleDoubt { .line(place) }

  /// Returns the report, including the final state.
  consuming func finish() -> UdevRuleReport {
    func given(_ setting: UdevRuleSetting, _ name: UdevRuleText, _ parse: ([UInt8]) -> UInt32?)
      -> UdevRuleKnown<UInt32?>
    {
      guard case .value(nil) = setting.value, !isRemoval,
        let text = event.device.properties[name]
      else { return setting.value }
      return .value(parse(text.bytes))
    }
    var report = report
    report.action = event.action
    report.owner = given(owner, "DEVUID", UdevRuleNumber.id)
    report.group = given(group, "DEVGID", UdevRuleNumber.id)
    report.mode = given(mode, "DEVMODE") { UdevRuleNumber.mode($0).map(UInt32.init) }
    report.tags = tags.certain
    report.currentTags = currentTags.certain
    report.tagsAreComplete = tags.isKnown
    report.currentTagsAreComplete = currentTags.isKnown
    report.links = links.certain
    report.linksAreComplete = links.isKnown
    report.recorded = database.known
    report.propertyDoubts = database.doubts
    report.propertiesAreComplete = !database.mayHaveOthers
    report.linkPriority = linkPriority
    report.interfaceName = interfaceName
    return report
  }
}

/// The state of an event while rules are applied to it.
struct UdevRuleRun {
  /// What replaces characters in the values of a line.
  enum Escaping {
    case usual, none, replace
  }

  let event: UdevRuleEvent
  let environment: UdevRuleEnvironment
  /// The device and its parents.
  let chain: [UdevRuleDevice]
  /// Their names in the kernel.
  let names: [UdevRuleText]
  let isRemoval: Bool
  /// Whether the report names only the lines that are undetermined.
  let isBrief: Bool

  var properties: UdevRuleProperties
  /// The properties that rules set.
  var database = UdevRuleProperties()
  var tags: UdevRuleMembers { didSet { listsAreOld = true } }
  var currentTags: UdevRuleMembers { didSet { listsAreOld = true } }
  var links: UdevRuleMembers { didSet { listsAreOld = true } }
  /// The last texts of the properties that are made of tags and links, which udevd does not empty.
  var listProperties: [UdevRuleText: UdevRuleKnown<UdevRuleText?>] = [:]
  /// Whether tags or links may have changed since these texts were made.
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

  /// The device of the chain that the last line with matches of parents found.
  var parent: UdevRuleKnown<Int?> = .value(nil)
  /// What the last `PROGRAM` printed.
  var programResult: UdevRuleKnown<UdevRuleText?> = .value(nil)
  /// The built-in commands that ran, and whether they succeeded.
  var builtins: [UdevRuleBuiltin: UdevRuleKnown<Bool>] = [:]
  /// Attributes that were read, by device; udevd does not read them again.
  var readAttributes: Set<UdevRuleText> = []
  /// Attributes that lines may have written, by their path.
  var writtenAttributes: Set<UdevRuleText> = []

  // Of the line that is applied.
  var place = UdevRulePlace(path: "", line: 0)
  var certainty: Ternary = .yes
  var escaping: Escaping = .usual
  var doubts: [UdevRuleDoubt] = []

  var report = UdevRuleReport()
  /// The effects on each subject that no line has set again yet, by what a line can take away as a
  /// whole.
  var standing: [UdevRuleEffect.Subject.Kind: [UdevRuleEffect.Subject: [Standing]]] = [:]

  /// Effects that agree with each other; by value, because thousands of lines may agree.
  struct Standing {
    let value: UdevRuleKnown<UdevRuleText>?
    /// Their places in the report.
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
    // When a device goes, udevd looks at what its database says of it.
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

  /// Tags of the last event, each of which may be one when they were not observed.
  static func current(
    _ tags: Set<UdevRuleText>?, among all: Set<UdevRuleText>
  ) -> UdevRuleMembers {
    tags.map { UdevRuleMembers($0) } ?? UdevRuleMembers(all, .maybe)
  }

  /// The doubt that this line leaves in what it may have set.
  var lineDoubt: UdevRuleDoubt { .line(place) }

  /// The report, with all that is made of the end.
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

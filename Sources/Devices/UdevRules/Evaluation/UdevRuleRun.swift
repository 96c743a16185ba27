/// The rules of several files, in the order in which udevd applies them.
public struct UdevRuleSet: Hashable, Sendable {
  /// The files.
  public let files: [UdevRuleFile]

  /// Creates a set of rules from files in their order.
  public init(_ files: [UdevRuleFile]) {
    self.files = files
  }

  /// Predicts how udevd handles an event.
  ///
  /// No program is run. A result that depends on a program, or on a fact that was not observed, is
  /// undetermined.
  public func evaluate(_ event: UdevRuleEvent, _ environment: UdevRuleEnvironment) -> UdevRuleReport
  {
    evaluate(event, environment, isBrief: false)
  }

  /// Predicts how udevd handles an event; a brief report contains only the outcomes of undetermined
  /// lines.
  package func evaluate(
    _ event: UdevRuleEvent, _ environment: UdevRuleEnvironment, isBrief: Bool
  ) -> UdevRuleReport {
    var run = UdevRuleRun(event, environment, isBrief: isBrief)
    for file in files { run.apply(file) }
    return run.finish()
  }
}

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
  /// The properties for the database: those that rules have set, except for names that start with a
  /// period.
  ///
  /// For a removal, they include the properties of the existing entry.
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

/// A number that lines can assign, until one of them makes it final.
struct UdevRuleSetting {
  /// The value; `nil` if no line has set one.
  var value: UdevRuleKnown<UInt32?> = .value(nil)
  var fixing = UdevRuleFixing()
}

/// Records whether a line has made a value final with `:=`, after which later lines cannot change
/// it.
struct UdevRuleFixing {
  private(set) var isFixed: UdevRuleCertainty = .no
  private(set) var place: UdevRulePlace?

  /// Returns how certainly a line changes the value, and records whether the line makes it final.
  mutating func claim(
    fixes: Bool, _ certainty: UdevRuleCertainty, at place: UdevRulePlace
  ) -> UdevRuleCertainty {
    guard isFixed != .yes else { return .no }
    let effect: UdevRuleCertainty = isFixed == .maybe ? .maybe : certainty
    if fixes {
      isFixed = max(isFixed, effect)
      self.place = place
    }
    return effect
  }
}

extension UdevRuleOutcome.Verdict {
  fileprivate var isUndetermined: Bool {
    if case .undetermined = self { true } else { false }
  }
}

extension UdevRuleRun {
  /// Applies the lines of a file.
  mutating func apply(_ file: UdevRuleFile) {
    var index = 0
    // A jump may have skipped the lines before this index.
    var open = 0
    var jumper = place
    let lines = file.lines
    while index < lines.count {
      let line = lines[index]
      place = UdevRulePlace(path: file.path, line: line.number)
      certainty = index < open ? .maybe : .yes
      doubts = index < open ? [.line(jumper)] : []
      escaping = .usual
      let verdict = apply(line)
      if !isBrief || verdict.isUndetermined {
        report.outcomes.append(UdevRuleOutcome(place: place, verdict: verdict))
      }
      index += 1
      guard let target = line.target, unknownAccount(in: line) == nil else { continue }
      switch verdict {
      case .matched:
        for skipped in index..<target where !isBrief {
          report.outcomes.append(
            UdevRuleOutcome(
              place: UdevRulePlace(path: file.path, line: lines[skipped].number),
              verdict: .skipped(by: place)))
        }
        index = target
      case .undetermined:
        open = max(open, target)
        jumper = place
      default:
        break
      }
    }
  }

  private mutating func apply(_ line: UdevRuleLine) -> UdevRuleOutcome.Verdict {
    let concernsNode = !isRemoval && event.device.number != nil && line.concernsNode
    let namesInterface = !isRemoval && event.isInterface && line.namesInterface
    guard line.jump != nil || line.changesAnything || concernsNode || namesInterface else {
      return .irrelevant
    }
    let refused = unknownAccount(in: line)
    var isParentDone = false
    for token in line.tokens {
      if let refused, !token.key.isMatch || token.key.changesEvent {
        if token == refused { assign(token) }
      } else if token.key.isOfParents {
        guard !isParentDone else { continue }
        isParentDone = true
        if let mismatch = matchParents(line.tokens.filter(\.key.isOfParents)) {
          return .failed(mismatch)
        }
      } else if token.key.isMatch {
        let match = match(token, at: 0)
        if match.result == .no {
          return .failed(UdevRuleMismatch(token: token, found: match.found, device: 0))
        }
        weaken(match)
      } else {
        assign(token)
      }
    }
    return certainty == .yes ? .matched : .undetermined(doubts)
  }

  /// Returns the part with a user or group that makes udevd ignore the whole line.
  private func unknownAccount(in line: UdevRuleLine) -> UdevRuleToken? {
    let version = environment.version
    guard version.ignoresLinesWithUnknownAccounts else { return nil }
    return line.tokens.first { token in
      guard token.number == nil, token.value != "root" else { return false }
      let fact: UdevRuleFact<UInt32>?
      switch token.key {
      case .ownerID: fact = environment.users[token.value]
      case .groupID: fact = environment.groups[token.value]
      default: return false
      }
      return fact.map { fact in fact.value.map(version.ignores) ?? true } ?? false
    }
  }

  private mutating func weaken(_ match: UdevRuleMatch) {
    guard match.result == .maybe else { return }
    certainty = .maybe
    if let doubt = match.doubt, !doubts.contains(doubt) { doubts.append(doubt) }
  }

  /// Finds the nearest device that satisfies all of a line's matches on parents.
  ///
  /// - Returns: The match that fails; `nil` if a device satisfies all matches, or may do so.
  private mutating func matchParents(_ tokens: [UdevRuleToken]) -> UdevRuleMismatch? {
    let before = parent
    let reached = certainty
    var mismatch: UdevRuleMismatch?
    var most = -1
    var doubtful: UdevRuleMatch?
    var found: UdevRuleKnown<Int?> = .value(nil)
    search: for device in chain.indices {
      parent = .value(device)
      var count = 0
      var worst = UdevRuleMatch(.yes)
      for token in tokens {
        let match = match(token, at: device)
        if match.result == .no {
          if count > most {
            most = count
            mismatch = UdevRuleMismatch(token: token, found: match.found, device: device)
          }
          continue search
        }
        count += 1
        if match.result == .maybe { worst = match }
      }
      if worst.result == .maybe {
        doubtful = doubtful ?? worst
        continue
      }
      found = .value(device)
      if let doubt = doubtful?.doubt { found = .unknown(doubt) }
      parent = reached == .yes ? found : before.joined(found, lineDoubt)
      return nil
    }
    if let doubtful {
      parent = .unknown(doubtful.doubt ?? lineDoubt)
      weaken(doubtful)
      return nil
    }
    parent = reached == .yes ? found : before.joined(found, lineDoubt)
    return mismatch
  }
}

internal import UdevRules

/// The prediction of the model.
struct Answer: Encodable {
  struct Report: Encodable {
    /// The node after the event; null for values that no rule sets, and -1 for unknown ones.
    let owner: Int64?
    let group: Int64?
    let mode: Int64?
    let tags: [BytesText]
    let currentTags: [BytesText]
    let links: [BytesText]
    let recorded: [String: BytesText]
    /// The names of properties whose values are unknown.
    let unknown: [String]
    let tagsAreComplete: Bool
    let currentTagsAreComplete: Bool
    let linksAreComplete: Bool
    let propertiesAreComplete: Bool
    let linkPriority: Int64?
    /// The commands that run after the rules; null if they are uncertain.
    let commands: [BytesText]?
    /// A Boolean value that indicates whether the result depends on the worker process of udevd.
    let dependsOnProcess: Bool
    /// The number of lines for each verdict, such as `matched` or `failed`.
    let verdicts: [String: Int]

    init(_ report: UdevRuleReport) {
      let node = report.node
      owner = Self.number(node.owner)
      group = Self.number(node.group)
      mode = Self.number(node.mode)
      tags = Self.sorted(report.tags)
      currentTags = Self.sorted(report.currentTags)
      links = Self.sorted(report.links)
      recorded = Dictionary(
        uniqueKeysWithValues: report.recorded.map { (BytesText.string($0), BytesText($1)) })
      unknown = report.propertyDoubts.keys.map(BytesText.string).sorted()
      tagsAreComplete = report.tagsAreComplete
      currentTagsAreComplete = report.currentTagsAreComplete
      linksAreComplete = report.linksAreComplete
      propertiesAreComplete = report.propertiesAreComplete
      linkPriority = report.linkPriority.known.map(Int64.init)
      commands =
        report.commands.allSatisfy { $0.isCertain && $0.text.known != nil }
        ? report.commands.compactMap { $0.text.known.map(BytesText.init) } : nil
      dependsOnProcess = report.outcomes.contains {
        guard case .undetermined(let doubts) = $0.verdict else { return false }
        return doubts.contains(.process)
      }
      verdicts = Dictionary(report.outcomes.map { (Self.word($0.verdict), 1) }, uniquingKeysWith: +)
    }

    private static func number(_ value: UdevRuleKnown<UInt32?>) -> Int64? {
      switch value {
      case .value(let number): number.map(Int64.init)
      case .unknown: -1
      }
    }

    private static func sorted(_ texts: Set<UdevRuleText>) -> [BytesText] {
      texts.sorted().map(BytesText.init)
    }

    private static func word(_ verdict: UdevRuleOutcome.Verdict) -> String {
      switch verdict {
      case .matched: "matched"
      case .undetermined: "undetermined"
      case .failed: "failed"
      case .skipped: "skipped"
      case .irrelevant: "irrelevant"
      }
    }
  }

  let problems: [String]
  let reports: [Report]
}

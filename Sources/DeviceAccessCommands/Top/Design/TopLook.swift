internal import AccessModel

/// What one look at all devices in question saw.
struct TopLook: Equatable, Sendable {
  var rows: [TopRow]
  /// What is not told by events.
  var gaps: [Unobserved] = []
  /// Who uses the devices, where the look saw that, too: in a recording.
  var use: UseFacts?

  /// The look that sees the facts of some questions.
  init(_ looks: [(question: TopQuestion, facts: AccessFacts)], gaps: [Unobserved] = []) {
    self.gaps = gaps
    var seen: Set<String> = []
    rows = looks.flatMap { look in
      TopRow.rows(
        of: look.facts, answering: look.question.question, isNamed: look.question.isNamed)
    }
    // Two questions can be about one device.
    .filter { seen.insert($0.id).inserted }
    var order: [String: Int] = [:]
    for index in rows.indices {
      let kind = rows[index].kind
      rows[index].order = order[kind] ?? order.count
      order[kind] = rows[index].order
    }
  }
}

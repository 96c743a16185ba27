internal import AccessModel

/// The result of one scan of all devices in question.
struct TopScan: Equatable, Sendable {
  var rows: [TopRow]
  /// The facts whose changes no event reports.
  var gaps: [Unobserved] = []
  /// The use of the devices, if a recording contains it.
  var use: UseFacts?

  /// Creates a result from the facts for each question.
  init(_ looks: [(question: TopQuestion, facts: AccessFacts)], gaps: [Unobserved] = []) {
    self.gaps = gaps
    var seen: Set<String> = []
    rows = looks.flatMap { look in
      TopRow.rows(
        of: look.facts, answering: look.question.question, isNamed: look.question.isNamed)
    }
    // Two questions can be about the same device.
    .filter { seen.insert($0.id).inserted }
    var order: [String: Int] = [:]
    for index in rows.indices {
      let kind = rows[index].kind
      rows[index].order = order[kind] ?? order.count
      order[kind] = rows[index].order
    }
  }
}

internal import AccessModel
internal import TerminalScreen

/// What `devaccess top` shows: the screen follows from it, and from nothing else.
struct TopDesign: Equatable, Sendable {
  /// What the keys act on.
  enum Mode: Hashable, Sendable {
    case list, search, detail, help
  }

  let style: Style
  private(set) var size: ScreenSize
  /// Whose access it is about, where that is not the calling process.
  var subject: String?
  /// Whether it shows what was recorded, which does not change.
  var isRecorded = false

  private(set) var rows: [TopRow] = []
  private(set) var gaps: [Unobserved] = []
  private(set) var use: UseFacts?
  private(set) var usersGaps: [Unobserved] = []
  var failure: CommandFailure?
  var usersFailure: CommandFailure?
  /// Whether there was a look at the devices.
  private(set) var hasLooked = false
  /// How often it was asked for a look from the beginning.
  private(set) var lookRequest = 0
  /// Which devices' users are followed; `nil` for none.
  private(set) var usersQuestion: TopUsersQuestion?

  var mode = Mode.list
  var search = ""
  var sort = TopColumn.kind
  var isReversed = false
  private(set) var table = TopTable()
  /// The row that keys act on.
  private(set) var selected: String?
  /// Where that row is in the list.
  private(set) var line = 0
  private(set) var scroll = TopScroll()
  var detail: TopDetail?
  var helpScroll = TopScroll()
  /// Whether it was asked to end.
  var isOver = false

  init(style: Style, size: ScreenSize) {
    var style = style
    // Tones are kept until it is known what the terminal can do.
    style.color = true
    self.style = style
    self.size = size
  }

  /// The question whose answer is shown in detail.
  var detailQuestion: Question? { detail?.row.question }

  // MARK: What was seen

  mutating func take(_ look: TopLook) {
    hasLooked = true
    failure = nil
    gaps = look.gaps
    if let seen = look.use { use = seen }
    guard rows != look.rows || look.use != nil else { return }
    rows = look.rows
    usersQuestion = TopUsersQuestion(rows, request: lookRequest)
    tabulate()
  }

  mutating func take(_ use: UseFacts, gaps: [Unobserved]) {
    usersFailure = nil
    self.use = use
    usersGaps = gaps
    tabulate()
    guard let question = detailQuestion else { return }
    if let facts = detail?.answer?.facts { take(facts, for: question) }
    let own = detail.flatMap { self.use(of: $0.row) }
    changeDetail(of: question) { $0.use = own }
  }

  /// Explains the row whose details are shown, and who uses it where that is in the way.
  mutating func take(_ facts: AccessFacts, for question: Question) {
    var answer = ExplainedFacts(facts: facts, explanation: facts.explain())
    if !isRecorded {
      answer.facts.use = nil
      if answer.explanation.answer == .allowed, let own = use(bearingOn: facts) {
        answer.facts.use = own
        answer.explanation = answer.facts.explain()
      }
    }
    changeDetail(of: question) { detail in
      detail.answer = answer
      detail.failure = nil
    }
  }

  /// Who uses the device that facts are about; `nil` where that does not bear on the answer.
  private func use(bearingOn facts: AccessFacts) -> UseFacts? {
    guard case .path(let node) = facts.targetsOfUse.first, var own = use,
      let device = own.use(ofNode: node)
    else { return nil }
    own.devices = [device]
    return own
  }

  /// Who uses the device of a row alone.
  private func use(of row: TopRow) -> UseFacts? {
    guard var own = use, let device = TopUses(own)[row] else { return nil }
    own.devices = [device]
    return own
  }

  /// Looks at everything from the beginning.
  mutating func lookAgain() {
    guard !isRecorded else { return }
    lookRequest += 1
    usersQuestion = TopUsersQuestion(rows, request: lookRequest)
  }

  /// Makes the list anew, and stays on the row that is selected; where it is gone, on its line.
  mutating func tabulate() {
    table = TopTable(
      rows, use: use, search: search, sort: sort, isReversed: isReversed, style: style)
    select(table.index(of: selected) ?? line)
  }

  // MARK: What is looked at

  mutating func resize(to size: ScreenSize) {
    self.size = size
    select(line)
    writeDetail()
    helpScroll.clamp(count: TopHelp.lines(self).count, room: TopRoom(size).text)
  }

  mutating func select(_ line: Int) {
    self.line = max(0, min(line, table.entries.count - 1))
    selected = table.entries.isEmpty ? nil : table.entries[self.line].row.id
    scroll.show(self.line, count: table.entries.count, room: TopRoom(size).list)
  }

  mutating func openDetail() {
    guard table.entries.indices.contains(line) else { return }
    let row = table.entries[line].row
    var opened = TopDetail(row)
    opened.use = use(of: row)
    detail = opened
    mode = .detail
    writeDetail()
  }

  /// Changes the details that are shown, unless they have become those of another row.
  mutating func changeDetail(of question: Question, _ body: (inout TopDetail) -> Void) {
    guard detailQuestion == question, var changed = detail else { return }
    body(&changed)
    changed.write(style, size)
    detail = changed
  }

  mutating func writeDetail() {
    detail?.write(style, size)
  }
}

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
  var use: UseFacts?
  var failure: CommandFailure?
  var usersFailure: CommandFailure?
  /// Whether there was a look at the devices.
  private(set) var hasLooked = false
  /// How often it was asked for a look from the beginning.
  private(set) var lookRequest = 0
  /// How often there was a reason to look for users.
  private(set) var usersRequest = 0

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
    let answers = look.rows.map { ($0.id, $0.answer) }
    let isOther = !answers.elementsEqual(rows.map { ($0.id, $0.answer) }, by: ==)
    if isOther || !hasLooked { usersRequest += 1 }
    hasLooked = true
    failure = nil
    gaps = look.gaps
    if let seen = look.use { use = seen }
    guard rows != look.rows || look.use != nil else { return }
    rows = look.rows
    tabulate()
  }

  /// Looks at everything from the beginning.
  mutating func lookAgain() {
    guard !isRecorded else { return }
    lookRequest += 1
    usersRequest += 1
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
    detail = TopDetail(table.entries[line].row)
    mode = .detail
    writeDetail()
  }

  mutating func changeDetail(of question: Question, _ body: (inout TopDetail) -> Void) {
    // An answer may come after its question was left.
    guard detailQuestion == question, var changed = detail else { return }
    body(&changed)
    changed.write(style, size)
    detail = changed
  }

  mutating func writeDetail() {
    detail?.write(style, size)
  }
}

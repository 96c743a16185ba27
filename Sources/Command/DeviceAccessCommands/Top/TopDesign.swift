internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import TerminalScreen

/// The state of `devaccess top`, which alone determines the content of the screen.
struct TopDesign: Equatable, Sendable {
  /// The part of the screen that handles keys.
  enum Mode: Hashable, Sendable {
    case list, search, detail, help
  }

  let style: Style
  private(set) var size: ScreenSize
  /// A description of the subject; `nil` for the calling process.
  var subject: String?
  /// A Boolean value that indicates whether the screen shows recorded facts, which do not change.
  var isRecorded = false

  private(set) var rows: [TopRow] = []
  private(set) var gaps: [Unobserved] = []
  private(set) var use: UseFacts?
  private(set) var usersGaps: [Unobserved] = []
  var failure: CommandFailure?
  var usersFailure: CommandFailure?
  /// A Boolean value that indicates whether the devices were scanned at least once.
  private(set) var hasScanned = false
  /// The number of times that the user requested a new scan.
  private(set) var scanRequest = 0
  /// The devices whose users are observed; `nil` for none.
  private(set) var usersQuestion: TopUsersQuestion?

  var mode = Mode.list
  var search = ""
  var sort = TopColumn.kind
  var isReversed = false
  private(set) var table = TopTable()
  /// The ID of the selected row.
  private(set) var selected: String?
  /// The index of the selected row in the list.
  private(set) var line = 0
  private(set) var scroll = TopScroll()
  var detail: TopDetail?
  var helpScroll = TopScroll()
  /// A Boolean value that indicates whether the user asked to quit.
  var isOver = false

  init(style: Style, size: ScreenSize) {
    var style = style
    // Keep the tones of the text. The terminal decides later whether to show them as colors.
    style.color = true
    self.style = style
    self.size = size
  }

  /// The question that the details answer.
  var detailQuestion: Question? { detail?.row.question }

  // MARK: Observations

  mutating func take(_ scan: TopScan) {
    hasScanned = true
    failure = nil
    gaps = scan.gaps
    if let seen = scan.use { use = seen }
    guard rows != scan.rows || scan.use != nil else { return }
    rows = scan.rows
    usersQuestion = TopUsersQuestion(rows, request: scanRequest)
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

  /// Explains the row whose details are shown, taking the users of its device into account.
  mutating func take(_ facts: AccessFacts, for question: Question) {
    var facts = facts
    if !isRecorded {
      facts.use = nil
      if let own = use(bearingOn: facts), facts.answer == .allowed { facts.use = own }
    }
    let answer = AnsweredFacts(facts)
    changeDetail(of: question) { detail in
      detail.answer = answer
      detail.failure = nil
    }
  }

  /// Returns the use of the device that the facts are about; `nil` if it does not affect the
  /// answer.
  private func use(bearingOn facts: AccessFacts) -> UseFacts? {
    guard case .path(let node) = facts.targetsOfUse.first, var own = use,
      let device = own.use(ofNode: node)
    else { return nil }
    own.devices = [device]
    return own
  }

  /// Returns the use of only the device of a row.
  private func use(of row: TopRow) -> UseFacts? {
    guard var own = use, let device = TopUses(own)[row] else { return nil }
    own.devices = [device]
    return own
  }

  /// Starts a new scan of the devices and their users.
  mutating func scanAgain() {
    guard !isRecorded else { return }
    scanRequest += 1
    usersQuestion = TopUsersQuestion(rows, request: scanRequest)
  }

  /// Updates the list and keeps the selection.
  ///
  /// If the selected row no longer exists, the row at the same position is selected.
  mutating func tabulate() {
    table = TopTable(
      rows, use: use, search: search, sort: sort, isReversed: isReversed, style: style)
    select(table.index(of: selected) ?? line)
  }

  // MARK: Selection and details

  mutating func resize(to size: ScreenSize) {
    self.size = size
    select(line)
    writeDetail()
    helpScroll.clamp(count: TopHelp.lines(self).count, room: TopScreenLines(size).text)
  }

  mutating func select(_ line: Int) {
    self.line = max(0, min(line, table.entries.count - 1))
    selected = table.entries.isEmpty ? nil : table.entries[self.line].row.id
    scroll.show(self.line, count: table.entries.count, room: TopScreenLines(size).list)
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

  /// Changes the details if they are still about the given question.
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

/// The store of `devaccess top`, which holds the observed devices and the state of the screen.
struct TopBlueprint: Blueprint {
  enum Change: Equatable, Sendable {
    case key(Key)
    case resized(ScreenSize)
    /// A scan of all devices has finished.
    case scanned(TopScan)
    /// The devices can no longer be observed.
    case scanFailed(CommandFailure)
    /// The users of the devices were found; `gaps` are the facts whose changes no event reports.
    case foundUsers(UseFacts, gaps: [Unobserved])
    case usersFailed(CommandFailure)
    /// The facts for the row whose details are shown were observed.
    case observed(Question, AccessFacts)
    case observationFailed(Question, CommandFailure)
  }

  func change(_ design: inout TopDesign, on change: Change) {
    switch change {
    case .key(let key): design.take(key)
    case .resized(let size): design.resize(to: size)
    case .scanned(let scan): design.take(scan)
    case .scanFailed(let failure): design.failure = failure
    case .foundUsers(let use, let gaps): design.take(use, gaps: gaps)
    case .usersFailed(let failure): design.usersFailure = failure
    case .observed(let question, let facts): design.take(facts, for: question)
    case .observationFailed(let question, let failure):
      design.changeDetail(of: question) { $0.failure = failure.message }
    }
  }
}

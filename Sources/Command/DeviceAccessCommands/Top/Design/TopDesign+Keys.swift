internal import TerminalScreen

extension TopDesign {
  /// The maximum length of the search text, in characters.
  private static let longestSearch = 128

  /// Handles a key according to the current mode.
  mutating func take(_ key: Key) {
    switch mode {
    case .list: takeInList(key)
    case .search: takeInSearch(key)
    case .detail: takeInDetail(key)
    case .help: takeInHelp(key)
    }
  }

  private mutating func takeInList(_ key: Key) {
    if move(key) { return }
    switch key {
    case .enter: openDetail()
    case .character("/"): mode = .search
    case .escape: look(for: "")
    case .character("s"):
      sort = nextSort
      tabulate()
    case .character("S"):
      isReversed.toggle()
      tabulate()
    case .character("r"): lookAgain()
    case .character("?"), .character("h"):
      mode = .help
      helpScroll = TopScroll()
    case .character("q"): isOver = true
    default: break
    }
  }

  /// The next visible column in the sort cycle, or `kind`, by which the list is sorted initially.
  private var nextSort: TopColumn {
    let shown = TopLayout(natural: table.widths, available: size.columns).columns
    var next = sort.next
    while next != .kind, !shown.contains(next) { next = next.next }
    return next
  }

  private mutating func takeInSearch(_ key: Key) {
    switch key {
    case .enter: mode = .list
    case .escape:
      mode = .list
      look(for: "")
    case .backspace:
      if search.isEmpty { mode = .list }
      look(for: String(search.dropLast()))
    case .character(let scalar)
    where scalar.properties.generalCategory != .control && search.count < Self.longestSearch:
      look(for: search + String(scalar))
    case .character: break
    default: _ = move(key)
    }
  }

  private mutating func takeInDetail(_ key: Key) {
    guard detail?.move(key, size: size) != true else { return }
    switch key {
    case .character("v"):
      detail?.isVerbose.toggle()
      writeDetail()
    case .character("r"): lookAgain()
    case .escape, .enter, .backspace, .character("q"):
      detail = nil
      mode = .list
    default: break
    }
  }

  private mutating func takeInHelp(_ key: Key) {
    let count = TopHelp.lines(self).count
    guard !helpScroll.move(key, count: count, room: TopScreenLines(size).text) else { return }
    switch key {
    case .escape, .enter, .backspace, .character("q"), .character("?"): mode = .list
    default: break
    }
  }

  private mutating func move(_ key: Key) -> Bool {
    let last = table.entries.count - 1
    guard let line = TopScroll.moved(line, key, last: last, page: TopScreenLines(size).list) else {
      return false
    }
    select(line)
    return true
  }

  private mutating func look(for text: String) {
    guard text != search else { return }
    search = text
    tabulate()
  }
}

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
    case .escape: search(for: "")
    case .character("s"):
      sort = nextSort
      tabulate()
    case .character("S"):
      isReversed.toggle()
      tabulate()
    case .character("r"): scanAgain()
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
      search(for: "")
    case .backspace:
      if search.isEmpty { mode = .list }
      search(for: String(search.dropLast()))
    case .character(let scalar)
    where scalar.properties.generalCategory != .control && search.count < Self.longestSearch:
      search(for: search + String(scalar))
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
    case .character("r"): scanAgain()
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

  private mutating func search(for text: String) {
    guard text != search else { return }
    search = text
    tabulate()
  }
}

/// The visible range of a longer text.
struct TopScroll: Hashable, Sendable {
  /// The index of the first visible line.
  private(set) var offset = 0

  /// Adjusts the offset so that the visible lines fill the space, if there are enough lines.
  mutating func clamp(count: Int, room: Int) {
    offset = max(0, min(offset, count - max(room, 1)))
  }

  /// Scrolls by the smallest amount that makes a line visible.
  mutating func show(_ line: Int, count: Int, room: Int) {
    offset = min(offset, line)
    offset = max(offset, line - max(room, 1) + 1)
    clamp(count: count, room: room)
  }

  /// Scrolls if the key is a scroll key; returns `false` for any other key.
  mutating func move(_ key: Key, count: Int, room: Int) -> Bool {
    guard let line = Self.moved(offset, key, last: count - 1, page: room) else { return false }
    offset = line
    clamp(count: count, room: room)
    return true
  }

  /// Returns the line to which a key moves; `nil` if the key does not move.
  static func moved(_ line: Int, _ key: Key, last: Int, page: Int) -> Int? {
    let step = max(page - 1, 1)
    let target: Int
    switch key {
    case .up, .character("k"), .character("\u{10}"): target = line - 1
    case .down, .character("j"), .character("\u{0E}"): target = line + 1
    case .pageUp, .character("\u{02}"): target = line - step
    case .pageDown, .character(" "), .character("\u{06}"): target = line + step
    case .home, .character("g"): target = 0
    case .end, .character("G"): target = last
    default: return nil
    }
    return max(0, min(target, last))
  }
}

/// The layout of the screen, which omits the least important lines on a small terminal.
struct TopScreenLines: Hashable, Sendable {
  private let rows: Int

  init(_ size: ScreenSize) { rows = size.rows }

  var hasTitle: Bool { rows >= 3 }
  var hasHeading: Bool { rows >= 4 }
  var hasNote: Bool { rows >= 6 }
  var hasKeys: Bool { rows >= 2 }

  /// The number of lines for rows of the list.
  var list: Int { rows - [hasTitle, hasHeading, hasNote, hasKeys].filter(\.self).count }
  /// The number of lines for a text.
  var text: Int { rows - [hasTitle, hasKeys].filter(\.self).count }
}

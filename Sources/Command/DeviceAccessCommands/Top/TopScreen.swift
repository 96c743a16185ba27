internal import AccessModel
internal import TerminalScreen

/// Renders a design as the content of the terminal: the list, the details or the help.
///
/// Only visible rows are rendered, so the time does not depend on the number of devices.
struct TopScreen {
  private let design: TopDesign
  private let room: TopScreenLines
  private var columns: Int { design.size.columns }

  init(_ design: TopDesign) {
    self.design = design
    room = TopScreenLines(design.size)
  }

  var screen: Screen {
    switch design.mode {
    case .list: return screen(list, keys: listKeys)
    case .search: return searchScreen
    case .detail:
      let detail = design.detail
      let lines = (detail?.lines ?? []).dropFirst(detail?.scroll.offset ?? 0).prefix(room.text)
        .map { $0.window(from: detail?.column ?? 0, columns: columns) }
      return screen(
        [title(detail.map { design.style.safe($0.row.path, limit: 4096) } ?? "")] + lines,
        keys: foot(
          "Esc back  v \(detail?.isVerbose == true ? "less" : "more")", detail?.scroll,
          count: detail?.lines.count ?? 0, room: room.text))
    case .help:
      let all = TopHelp.lines(design)
      return screen(
        [title("help")] + all.dropFirst(design.helpScroll.offset).prefix(room.text),
        keys: foot("Esc back", design.helpScroll, count: all.count, room: room.text))
    }
  }

  /// Returns a screen with the given lines, and the keys in the last row.
  private func screen(
    _ lines: [ScreenLine], keys: ScreenLine, cursor: Screen.Cursor? = nil
  ) -> Screen {
    var lines = room.hasTitle ? lines : Array(lines.dropFirst())
    let last = room.hasKeys ? 1 : 0
    lines = Array(lines.prefix(design.size.rows - last))
    lines += Array(
      repeating: ScreenLine(), count: max(0, design.size.rows - last - lines.count))
    if room.hasKeys { lines.append(keys) }
    return Screen(lines, size: design.size, cursor: cursor)
  }

  private func title(_ text: String) -> ScreenLine {
    let subject = design.subject.map { " for \($0)" } ?? ""
    let start = "devaccess top" + subject
    let isBoth = Columns.width(start) + Columns.width(text) + 2 <= columns
    return ScreenLine(
      [ScreenSpan(fit(isBoth ? "\(start)  \(text)" : text, columns), .heading)],
      isReversed: true)
  }

  /// Returns the last line: the keys, and the visible range if not everything fits.
  private func foot(_ keys: String, _ scroll: TopScroll?, count: Int, room: Int) -> ScreenLine {
    guard let scroll, count > room else { return ScreenLine(keys, .faint) }
    let place = "\(scroll.offset + 1)-\(min(scroll.offset + room, count)) of \(count)"
    let width = columns - keys.utf8.count - place.utf8.count
    return ScreenLine(
      width < 2 ? keys : keys + String(repeating: " ", count: width) + place, .faint)
  }

  // MARK: The list

  private var list: [ScreenLine] {
    let table = design.table
    let layout = TopLayout(natural: table.widths, available: columns)
    var lines = [title(counts)]
    if room.hasHeading { lines.append(heading(layout)) }
    let shown = table.entries.indices.dropFirst(design.scroll.offset).prefix(room.list)
    var body = shown.map { row(table.entries[$0], layout, isSelected: $0 == design.line) }
    if body.isEmpty { body = [ScreenLine(emptyText, .faint)] }
    body += Array(repeating: ScreenLine(), count: max(0, room.list - body.count))
    lines += body
    if room.hasNote {
      let notes = TopNotes(design).all.joined(separator: "; ")
      lines.append(ScreenLine(fit(notes, columns), .unsure))
    }
    return lines
  }

  private var counts: String {
    let table = design.table
    let devices = "\(table.total) device\(table.total == 1 ? "" : "s")"
    let start =
      design.search.isEmpty ? devices : "\(table.entries.count) of \(devices)"
    let parts = Answer.allCases.compactMap { answer in
      table.counts[answer].map { "\($0) \(answer.rawValue)" }
    }
    return ([start] + parts + (table.used > 0 ? ["\(table.used) in use"] : []))
      .joined(separator: ", ")
  }

  private var emptyText: String {
    if !design.hasScanned { return "Looking." }
    return design.rows.isEmpty ? "No devices." : "No device matches."
  }

  private func heading(_ layout: TopLayout) -> ScreenLine {
    let cells = layout.columns.map { column -> ScreenSpan in
      var title = column.title
      if column == design.sort {
        let signs = design.style.unicode ? ("↓", "↑") : ("v", "^")
        title += design.isReversed ? signs.1 : signs.0
      }
      return ScreenSpan(padded(title, layout.width(of: column)), .heading)
    }
    return line(cells, margin: "  ")
  }

  private func row(_ entry: TopEntry, _ layout: TopLayout, isSelected: Bool) -> ScreenLine {
    let cells = layout.columns.map { column -> ScreenSpan in
      let text = padded(
        entry.cells[column.rawValue], layout.width(of: column), keepsEnd: column == .device)
      switch column {
      case .status: return ScreenSpan(text, entry.statusTone)
      case .users: return ScreenSpan(text, entry.usersTone)
      case .rule: return ScreenSpan(text, .faint)
      case .device, .kind, .name: return ScreenSpan(text)
      }
    }
    return line(cells, margin: isSelected ? "> " : "  ", isReversed: isSelected)
  }

  private func line(
    _ cells: [ScreenSpan], margin: String, isReversed: Bool = false
  ) -> ScreenLine {
    var spans = [ScreenSpan(margin)]
    for (index, cell) in cells.enumerated() {
      if index > 0 { spans.append(ScreenSpan("  ")) }
      spans.append(cell)
    }
    return ScreenLine(spans, isReversed: isReversed)
  }

  private var listKeys: ScreenLine {
    let long = "Enter explain  / search  s sort  r refresh  ? help  q quit"
    return foot(
      long.utf8.count <= columns ? long : "Enter / s r  ? help  q quit", design.scroll,
      count: design.table.entries.count, room: room.list)
  }

  // MARK: Search

  private var searchScreen: Screen {
    let text = "/" + design.style.safe(design.search, limit: 512)
    // Show the end of a long text, where the user is typing.
    let width = Columns.width(text)
    let line = ScreenLine(text).window(from: max(0, width - columns + 1), columns: columns)
    return screen(
      list, keys: line,
      cursor: Screen.Cursor(row: design.size.rows - 1, column: min(width, columns - 1)))
  }

  // MARK: Text

  /// Returns a text that fits a width; a longer text is cut and marked with an ellipsis.
  ///
  /// With `keepsEnd`, the beginning is cut, because the end of a text such as a path identifies it.
  private func fit(_ text: String, _ width: Int, keepsEnd: Bool = false) -> String {
    let whole = Columns.width(text)
    guard whole > width else { return text }
    guard width > 0 else { return "" }
    let ellipsis = design.style.unicode ? "…" : "~"
    let start = keepsEnd ? whole - width + 1 : 0
    let part = ScreenLine(text).window(from: start, columns: width - 1).text
    return keepsEnd ? ellipsis + part : part + ellipsis
  }

  private func padded(_ text: String, _ width: Int, keepsEnd: Bool = false) -> String {
    let text = fit(text, width, keepsEnd: keepsEnd)
    return text + String(repeating: " ", count: max(0, width - Columns.width(text)))
  }
}

/// The visible columns of the list, and their widths.
struct TopLayout: Hashable, Sendable {
  /// The width of the marker that precedes each row.
  static let margin = 2
  private static let gap = 2

  /// The visible columns, from left to right.
  private(set) var columns: [TopColumn] = []
  private var widths: [TopColumn: Int] = [:]

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - natural: The maximum cell width of each ``TopColumn``; 0 for a column without text.
  ///   - available: The width of the terminal, in columns.
  init(natural: [Int], available: Int) {
    var left = available - Self.margin
    func most(_ column: TopColumn) -> Int {
      // A long path must leave space for the answer.
      let width = natural[column.rawValue]
      return column == .device ? min(width, max(available / 2, 1)) : width
    }
    for group in TopColumn.byWeight {
      let filled = group.filter { natural[$0.rawValue] > 0 }
      for column in filled {
        let least = min(most(column), column.leastWidth)
        let gap = widths.isEmpty ? 0 : Self.gap
        guard least + gap <= left || widths.isEmpty else { continue }
        widths[column] = min(least, max(left, 1))
        left -= least + gap
      }
      for column in filled {
        guard let width = widths[column], left > 0 else { continue }
        let more = min(most(column) - width, left)
        widths[column] = width + more
        left -= more
      }
    }
    columns = TopColumn.allCases.filter { widths[$0] != nil }
  }

  func width(of column: TopColumn) -> Int { widths[column] ?? 0 }
}

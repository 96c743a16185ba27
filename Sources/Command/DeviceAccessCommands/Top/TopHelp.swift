internal import TerminalScreen

/// The screen that explains the keys.
enum TopHelp {
  private static let keys: [(keys: String, meaning: String)] = [
    ("Up, k / Down, j", "previous row / next row"),
    ("PgUp / PgDn, Space", "a page up / down"),
    ("Home, g / End, G", "the first / the last row"),
    ("Enter", "explain the selected row, and list the users of its device"),
    ("/", "search all columns; Enter keeps the matches, Esc shows all rows"),
    ("s", "sort by the next visible column"),
    ("S", "reverse the order"),
    ("r", "scan everything again"),
    ("?", "this help"),
    ("q, Ctrl-C", "quit"),
    ("Ctrl-Z", "stop; 'fg' continues"),
    ("Ctrl-L", "draw the screen again"),
  ]

  private static let detailKeys: [(keys: String, meaning: String)] = [
    ("Up, Down, ...", "scroll"),
    ("Left, h / Right, l", "scroll sideways; commands are not wrapped"),
    ("v", "show all fixes and the evidence, or only the essentials"),
    ("Esc, q", "back to the list"),
  ]

  private static let notes = [
    "STATUS is the answer for the access that programs need. If access is refused, the part that is "
      + "granted follows. RULE names the kernel rule that determined the answer.",
    "USERS shows who has the device open.",
  ]

  /// Returns the help, which ends with the complete notes about facts that could not be observed.
  static func lines(_ design: TopDesign) -> [ScreenLine] {
    let columns = design.size.columns
    var lines = [ScreenLine("In the list", .heading)]
    lines += table(keys, columns: columns)
    lines += [ScreenLine(), ScreenLine("In an explanation", .heading)]
    lines += table(detailKeys, columns: columns)
    for note in notes {
      lines.append(ScreenLine())
      lines += Wrapping.lines(note, width: columns).map { ScreenLine($0) }
    }
    let missing = TopNotes(design).all
    if !missing.isEmpty {
      lines += [ScreenLine(), ScreenLine("At the foot of the list", .heading)]
    }
    for note in missing {
      lines += Wrapping.lines(note, width: columns, first: "  ", rest: "  ").map { ScreenLine($0) }
    }
    return lines
  }

  private static func table(
    _ rows: [(keys: String, meaning: String)], columns: Int
  ) -> [ScreenLine] {
    // On a narrow terminal, each meaning is on the line below its keys.
    let width = columns < 60 ? 4 : 22
    return rows.flatMap { row -> [ScreenLine] in
      let first = "  \(row.keys)"
      let rest = String(repeating: " ", count: width)
      guard first.count < width else {
        return [ScreenLine(first)]
          + Wrapping.lines(row.meaning, width: columns, first: rest, rest: rest)
          .map { ScreenLine($0) }
      }
      let padding = String(repeating: " ", count: width - first.count)
      return Wrapping.lines(row.meaning, width: columns, first: first + padding, rest: rest)
        .map { ScreenLine($0) }
    }
  }
}

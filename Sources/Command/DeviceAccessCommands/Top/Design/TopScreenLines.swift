internal import TerminalScreen

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

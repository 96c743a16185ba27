internal import TerminalScreen

/// How a screen is divided: what is least needed goes first where there are few lines.
struct TopRoom: Hashable, Sendable {
  private let rows: Int

  init(_ size: ScreenSize) { rows = size.rows }

  var hasTitle: Bool { rows >= 3 }
  var hasHeading: Bool { rows >= 4 }
  var hasNote: Bool { rows >= 6 }
  var hasKeys: Bool { rows >= 2 }

  /// The lines for rows of the list.
  var list: Int { rows - [hasTitle, hasHeading, hasNote, hasKeys].filter(\.self).count }
  /// The lines for a text.
  var text: Int { rows - [hasTitle, hasKeys].filter(\.self).count }
}

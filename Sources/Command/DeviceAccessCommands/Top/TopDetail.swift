internal import AccessModel
internal import DevicePermissions
internal import TerminalScreen

/// The details of one row: the output of `devaccess explain`, and the users of the device.
struct TopDetail: Equatable, Sendable {
  let row: TopRow
  /// The answer; `nil` while the facts are being observed.
  var answer: AnsweredFacts?
  /// The error message if the facts could not be observed.
  var failure: String?
  /// The use of only this device; `nil` if its users were not scanned.
  var use: UseFacts?
  var isVerbose = false
  /// The visible range of ``lines``.
  var scroll = TopScroll()
  /// The first visible column; commands are not wrapped, so lines can be wider than the screen.
  var column = 0
  private(set) var lines: [ScreenLine] = []

  init(_ row: TopRow) { self.row = row }

  /// Updates the lines for a style and a screen size.
  mutating func write(_ style: Style, _ size: ScreenSize) {
    var style = style
    style.width = size.columns
    if let failure {
      lines = [ScreenLine(failure, .bad)]
    } else if let answer {
      let text = ExplanationText(
        explanation: answer.explanation, facts: answer.facts, style: style, isVerbose: isVerbose,
        more: "v"
      ).text
      lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { ScreenLine(painted: $0) }
      if lines.last?.spans.isEmpty == true { lines.removeLast() }
      addUsers(style)
    } else {
      lines = [ScreenLine(row.question == nil ? "There is no device node." : "Looking.")]
    }
    column = min(column, max(0, widest - size.columns))
    scroll.clamp(count: lines.count, room: TopScreenLines(size).text)
  }

  private mutating func addUsers(_ style: Style) {
    guard let use else { return }
    let answer = UsersAnswer(facts: use, targets: use.devices.map { .path($0.node) })
    let users = UsersText(
      answer: answer, words: [row.path], isVerbose: isVerbose, isLasting: true, style: style)
    lines.append(ScreenLine())
    lines += users.text.split(separator: "\n").map { ScreenLine(painted: $0) }
  }

  /// Scrolls if the key is a scroll key; returns `false` for any other key.
  mutating func move(_ key: Key, size: ScreenSize) -> Bool {
    switch key {
    case .left, .character("h"): column = max(0, column - Self.step)
    case .right, .character("l"):
      column = min(column + Self.step, max(0, widest - size.columns))
    default: return scroll.move(key, count: lines.count, room: TopScreenLines(size).text)
    }
    return true
  }

  private static let step = 8

  private var widest: Int { lines.reduce(0) { max($0, $1.width) } }
}

extension ScreenTone {
  init(_ tone: Style.Tone?) {
    self =
      switch tone {
      case .good: .good
      case .bad: .bad
      case .unsure: .unsure
      case .heading: .heading
      case .faint: .faint
      case nil: .plain
      }
  }
}

extension ScreenLine {
  /// Creates a line from text that a ``Style`` with colors painted.
  ///
  /// Untrusted parts of the text are already escaped, so all its escape sequences come from
  /// ``Style/paint(_:_:)``.
  init(painted text: some StringProtocol) {
    self.init()
    var tone = ScreenTone.plain
    var piece = ""
    var sequence: String?
    for scalar in text.unicodeScalars {
      if scalar == "\u{1B}" {
        if !piece.isEmpty { spans.append(ScreenSpan(piece, tone)) }
        (piece, sequence) = ("", "")
      } else if let code = sequence {
        if scalar == "m" {
          tone = ScreenTone(Style.Tone.allCases.first { "[" + $0.code == code })
          sequence = nil
        } else {
          sequence = code + String(scalar)
        }
      } else {
        piece.unicodeScalars.append(scalar)
      }
    }
    if !piece.isEmpty { spans.append(ScreenSpan(piece, tone)) }
  }
}

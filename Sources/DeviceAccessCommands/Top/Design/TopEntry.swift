internal import AccessModel
internal import TerminalScreen

/// A row with the text of its cells.
struct TopEntry: Hashable, Sendable {
  var row: TopRow
  var occupation: Occupation?
  /// The text for each ``TopColumn``, safe for a terminal.
  var cells: [String]
  var statusTone: ScreenTone
  var usersTone: ScreenTone
  /// What is searched, in small letters: the cells, and what they leave out or show escaped.
  private let searched: [UInt8]

  /// - Parameters:
  ///   - row: The row.
  ///   - use: Who has the device open; `nil` where that was not looked at.
  ///   - occupation: What they leave to others.
  ///   - style: How the text is dressed.
  init(_ row: TopRow, use: DeviceUse?, occupation: Occupation?, style: Style) {
    self.row = row
    self.occupation = occupation
    let users = use.map { OccupationText($0, occupation, style) }
    cells = [
      style.safe(row.path, limit: 4096), style.safe(row.kind), Self.status(row),
      row.rule?.rawValue ?? "", users?.text ?? "",
      row.name.map { style.safe($0, limit: 128) } ?? "",
    ]
    statusTone = ScreenTone(row.answer?.tone ?? .unsure)
    usersTone = ScreenTone(users?.tone)
    let names = (use?.users ?? []).compactMap(\.name)
    let all = cells + [row.path, row.name ?? ""] + names
    searched = Array(all.joined(separator: "\n").lowercased().utf8)
  }

  /// The answer, and what is granted of what is refused.
  private static func status(_ row: TopRow) -> String {
    guard let answer = row.answer else { return "no node" }
    guard !row.granted.isDisjoint(with: [.read, .write]) else { return answer.rawValue }
    return answer.rawValue + " " + (row.granted.contains(.read) ? "r" : "-")
      + (row.granted.contains(.write) ? "w" : "-")
  }

  /// Whether a text in small letters is in one of the cells.
  func matches(_ text: [UInt8]) -> Bool {
    guard let first = text.first else { return true }
    var rest = searched[...]
    while let index = rest.firstIndex(of: first) {
      rest = rest[index...]
      if rest.starts(with: text) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Whether it stands before another one when sorted by a column; `nil` where they are alike.
  func isBefore(_ other: TopEntry, by column: TopColumn) -> Bool? {
    switch column {
    case .kind: return Self.order(row.order, other.row.order)
    case .status: return Self.order(answerRank, other.answerRank)
    case .users:
      return Self.order(usersRank, other.usersRank)
        ?? NaturalOrder.isBefore(cells[column.rawValue], other.cells[column.rawValue])
    case .device, .rule, .name:
      return NaturalOrder.isBefore(cells[column.rawValue], other.cells[column.rawValue])
    }
  }

  private static func order(_ left: Int, _ right: Int) -> Bool? {
    left == right ? nil : left < right
  }

  private var answerRank: Int {
    row.answer.flatMap { Answer.allCases.firstIndex(of: $0) } ?? Answer.allCases.count
  }

  /// What somebody uses comes first.
  private var usersRank: Int {
    switch occupation {
    case .busy: 0
    case .held: 1
    case .open: 2
    case .unknown: 3
    case .free: 4
    case nil: 5
    }
  }
}

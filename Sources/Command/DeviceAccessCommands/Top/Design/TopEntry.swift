internal import AccessModel
internal import TerminalScreen

/// A row and the text of its cells.
struct TopEntry: Hashable, Sendable {
  var row: TopRow
  var occupation: Occupation?
  /// The text for each ``TopColumn``, which is safe to print.
  var cells: [String]
  var statusTone: ScreenTone
  var usersTone: ScreenTone
  /// The searchable text in lowercase: the cells, and the values that they shorten or escape.
  private let searched: [UInt8]

  /// Creates an entry.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - use: The use of the device; `nil` if its users were not scanned.
  ///   - occupation: The effect of this use on other programs.
  ///   - style: The style of the text.
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

  /// Returns the answer, and the partial access that a refusal leaves.
  private static func status(_ row: TopRow) -> String {
    guard let answer = row.answer else { return "no node" }
    guard !row.granted.isDisjoint(with: [.read, .write]) else { return answer.rawValue }
    return answer.rawValue + " " + (row.granted.contains(.read) ? "r" : "-")
      + (row.granted.contains(.write) ? "w" : "-")
  }

  /// Returns whether the row contains a text, which must be in lowercase.
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

  /// Returns whether this entry precedes another one in a column's order; `nil` if they are equal.
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

  /// The rank of the occupation, with used devices first.
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

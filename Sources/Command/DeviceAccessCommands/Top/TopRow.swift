internal import AccessModel
internal import DevicePermissions
internal import TerminalScreen

/// A device or path in the list, without its users.
struct TopRow: Hashable, Sendable {
  /// The ID of the row, which stays the same in later scans.
  var id: String
  /// The name of the kind, or ``pathKind``.
  var kind: String
  /// The position of the row's kind among the kinds in the list.
  var order = 0
  var path: String
  /// The node of the device; `nil` if the row is not a device, or the device has no node.
  var node: String?
  /// The descriptive name of the device.
  var name: String?
  /// The answer; `nil` if the device has no node.
  var answer: Answer?
  /// The access that is granted although the required access is refused.
  var granted: Permissions = []
  var rule: Rule?
  /// The question for the details of the row; `nil` if the device has no node.
  var question: Question?
}

extension TopRow {
  /// The value of ``kind`` for a target that was named by its path.
  static let pathKind = "path"

  /// Returns the rows for one question.
  ///
  /// A kind has one row per device. If it has no devices, it has a row only if the user named the
  /// kind, so the reason can be shown.
  static func rows(
    of facts: AccessFacts, answering question: Question, isNamed: Bool
  ) -> [TopRow] {
    guard case .kind(let kind) = question.target, kind.subsystem != nil else {
      return [row(of: facts, answering: question)]
    }
    let members = kind.members(in: facts.devices)
    guard !members.isEmpty else {
      return isNamed ? [row(of: facts, answering: question)] : []
    }
    let wanted = question.wanted ?? kind.needs
    let answers = facts.conclusions(for: members, wanting: wanted)
    var rows = zip(members, answers).map { device, answer in
      row(of: device, kind, answer, question, wanted)
    }
    addGranted(to: &rows, members, facts)
    return rows
  }

  private static func row(
    of device: DeviceFacts, _ kind: DeviceKind, _ answer: Explanation.Candidate?,
    _ question: Question, _ wanted: Permissions
  ) -> TopRow {
    var row = TopRow(
      id: "\(kind.name) \(device.node ?? device.sysfsPath)", kind: kind.name,
      path: device.node ?? "(\(device.kernelName))")
    row.node = device.udevNode
    row.name = device.name
    row.answer = answer?.answer
    row.rule = answer?.decision.rule
    row.question = device.node.map { node in
      var own = question
      own.target = .path(node)
      own.wanted = wanted
      return own
    }
    return row
  }

  /// Adds the partial access to devices that are refused.
  private static func addGranted(
    to rows: inout [TopRow], _ devices: [DeviceFacts], _ facts: AccessFacts
  ) {
    let refused = rows.indices.filter { rows[$0].answer == .refused }
    let answers = facts.answers(for: refused.map { devices[$0] }, wanting: [.read, .write])
    for (index, answers) in zip(refused, answers) where answers.count == 2 {
      if answers[0] == .allowed { rows[index].granted.insert(.read) }
      if answers[1] == .allowed { rows[index].granted.insert(.write) }
    }
  }

  private static func row(of facts: AccessFacts, answering question: Question) -> TopRow {
    let explanation = facts.explain()
    let kind = explanation.kind ?? pathKind
    var row = TopRow(id: "\(kind) \(explanation.path)", kind: kind, path: explanation.path)
    row.node = explanation.device?.udevNode
    row.name = explanation.device?.name
    row.answer = explanation.answer
    row.rule = explanation.decision.rule
    if explanation.answer == .refused { row.granted = explanation.granted }
    row.question = question
    return row
  }
}

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

/// Finds the use of the device in a row.
struct TopUses {
  private let uses: [String: DeviceUse]
  /// The uses by the node that udev created.
  private let devices: [String: DeviceUse]

  init(_ use: UseFacts?) {
    // The requested path may be a symbolic link, or another spelling of the node's path.
    uses = Dictionary(
      (use?.devices ?? []).flatMap { use in ([use.node] + use.askedAs).map { ($0, use) } },
      uniquingKeysWith: { first, _ in first })
    devices = Dictionary(
      (use?.devices ?? []).map { ($0.udevNode, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the use of the device in a row; `nil` if its users were not scanned.
  subscript(row: TopRow) -> DeviceUse? {
    // The path may lead to a node that udev did not create.
    uses[row.path] ?? row.node.flatMap { devices[$0] }
  }
}

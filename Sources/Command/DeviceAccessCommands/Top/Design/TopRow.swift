internal import AccessModel
internal import DevicePermissions

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

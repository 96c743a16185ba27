internal import AccessModel
internal import DevicePermissions

/// One device or path in the list, without who uses it.
struct TopRow: Hashable, Sendable {
  /// What tells it from every other row, also in later looks.
  var id: String
  /// The kind's name, or ``pathKind``.
  var kind: String
  /// Where the row stands among those of all looks, before it is sorted otherwise.
  var order = 0
  var path: String
  /// The device's node; `nil` for what is no device, and for a device without one.
  var node: String?
  /// What people call the device.
  var name: String?
  /// `nil` for a device without a node, to which no answer is possible.
  var answer: Answer?
  /// What is granted where not all that is needed is.
  var granted: Permissions = []
  var rule: Rule?
  /// What explains the answer.
  var question: Question?
}

extension TopRow {
  /// What stands for the kind of what was named by its path.
  static let pathKind = "path"

  /// The rows of one question.
  ///
  /// A kind has a row for each of its devices. Without devices it has one only where somebody asked
  /// for that kind, so that the reason can be shown.
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

  /// Adds what is granted of devices that are refused.
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

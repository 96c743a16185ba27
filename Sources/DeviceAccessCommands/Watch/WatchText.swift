internal import AccessModel
internal import DevicePermissions

/// The line of `devaccess watch`: the time, the answer, and why it is another one.
struct WatchText: Sendable {
  let change: AnswerChange
  let time: Timestamp
  let style: Style
  /// Whether there are other questions, so that a line has to say which one it is about.
  var isOneOfSeveral = false

  var text: String {
    let line = CheckText(
      explanation: change.explanation, facts: change.facts, style: style,
      namesKind: isOneOfSeveral
    ).line
    let reason = change.differences.first.map { difference in
      " (\(style.safe(difference.text, limit: 512)))"
    }
    return "\(style.paint(time.localText(), .faint)) \(line)\(reason ?? "")\n"
  }
}

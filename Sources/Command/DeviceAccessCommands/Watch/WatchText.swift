internal import AccessModel
internal import DevicePermissions

/// A line of `devaccess watch`: the time, the answer, and the reason for the change.
struct WatchText: Sendable {
  let change: AnswerChange
  let time: Timestamp
  let style: Style
  /// A Boolean value that indicates whether several questions are watched.
  ///
  /// If so, the line names the kind as well as the path.
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

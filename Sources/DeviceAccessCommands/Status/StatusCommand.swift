internal import AccessModel
internal import DevicePermissions
internal import LegoKit

/// `devaccess status`.
struct StatusCommand {
  var subject = SubjectOptions()
}

extension StatusCommand: Command {
  static let declaration = CommandDeclaration(
    name: .status,
    summary: "show whether you may use the camera and the photo album",
    options: OptionName.subjectOptions + [.json],
    details: """
      The status is authorized, limited, notDetermined, denied, restricted, absent or unknown.
      """,
    examples: [("devaccess", "the same as devaccess status")])

  /// What has a permission on every machine.
  private static let kinds = [DeviceKind.camera, .album]

  init(_ arguments: CommandArguments) throws(UsageError) {
    subject = try arguments.subject()
  }

  func run(_ run: CommandRun) async throws -> ExitStatus {
    for kind in Self.kinds {
      var question = Question(
        .kind(kind), subject: subject.selector, variation: subject.variation)
      question.names = .few
      try await run.build(.explain(question))
    }
    let answers = run.store.design.answers
    if run.json { return try run.show(json: StatusOutput(answers)) }
    return try run.show(StatusText(answers: answers, style: run.style).text)
  }
}

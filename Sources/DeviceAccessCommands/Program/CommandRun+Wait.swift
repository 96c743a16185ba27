internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

extension CommandRun {
  /// `devaccess check --wait`: the answer when it is yes, or the last one when time is up.
  ///
  /// What it waits for goes to standard error, anew with every reason.
  func wait(
    for question: Question, _ patience: Patience, quiet: Bool
  ) async throws -> Examination {
    // Events and time limits need threads, and without any the wait would never end.
    if let number = ThreadLimit.refusal() {
      throw CommandFailure(
        "cannot wait: no thread can be started: \(ErrorNumber.text(number))", .internalError)
    }
    let style = style
    let program = program
    let waiting = store.observe(\.answers.last) { answer in
      guard !quiet, let answer, answer.explanation.answer != .allowed else { return }
      let text = CheckText(explanation: answer.explanation, facts: answer.facts, style: style).text
      program.complain("waiting: \(text.dropLast())")
    }
    defer { waiting.cancel() }
    await store.build(.wait(question, patience.limit)).finished()
    if let failure = store.design.devices.failure { throw CommandFailure(failure) }
    guard let answer = store.design.answers.last else {
      throw CommandFailure("there is no answer", .internalError)
    }
    return answer
  }
}

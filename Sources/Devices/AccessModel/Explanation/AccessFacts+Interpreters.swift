/// Explanations of scripts, which the kernel runs with the interpreter in their first line
/// (execve(2)).
extension AccessFacts {
  /// Returns an explanation of an executable script whose interpreter cannot be executed.
  ///
  /// The result is `nil` for any other file.
  func explainingInterpreter(of chosen: Explanation, inFull: Bool) -> Explanation? {
    guard chosen.answer == .allowed, chosen.wanted.contains(.execute) else { return nil }
    var script = chosen.path
    for path in interpreters {
      var facts = self
      facts.interpreters = []
      facts.attempts = []
      facts.access.request = .access(path: path, mode: .execute, effective: true, noFollow: false)
      let interpreter = facts.explain(inFull: inFull)
      guard interpreter.answer != .allowed else {
        script = path
        continue
      }
      return combined(chosen, interpreter, of: script)
    }
    return nil
  }

  private func combined(
    _ chosen: Explanation, _ interpreter: Explanation, of script: String
  ) -> Explanation {
    var whole = interpreter
    whole.path = chosen.path
    whole.wanted = chosen.wanted
    // execve(2) returns ENOENT in this case, although the script exists.
    if interpreter.answer == .absent {
      whole.answer = .refused
      whole.status = .denied
    }
    whole.availability = chosen.availability
    whole.decision.steps = chosen.decision.steps + interpreter.decision.steps.suffix(1)
    whole.candidates = chosen.candidates
    whole.cause?.summary = """
      \(script) is a script that the kernel runs with \(interpreter.path). \
      \(interpreter.cause?.summary ?? "")
      """
    return whole
  }
}

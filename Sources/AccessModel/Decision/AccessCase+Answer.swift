extension AccessCase {
  /// Decides the case and answers it in the documented format.
  ///
  /// The same answer as from ``decide()``, but no step is written down on the way, which is most
  /// of the cost of a decision.
  public func answer() -> CaseAnswer {
    let prepared = PreparedCase(self)
    var recorder = NoRecorder()
    let progress = prepared.decide(request, &recorder)
    let verdict = prepared.verdict(of: progress)
    var answer = CaseAnswer(id: id, verdict, to: request, in: prepared)
    if verdict.isGranted {
      answer.detail.grounds = prepared.grounds(progress.node, progress)
    }
    return answer
  }
}

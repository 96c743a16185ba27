extension AccessCase {
  /// Decides the case and returns the answer in the documented format.
  ///
  /// The answer is the same as for ``decide()``, but the steps are not recorded. Recording them is
  /// most of the cost of a decision.
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

internal import AccessModel

extension Explanation {
  /// The status in one word; there is none where there is nothing to have permission for.
  var statusText: String {
    status?.rawValue ?? (availability == .absent ? "none" : "unknown")
  }

  /// How far the answer can be relied on, as one sentence.
  var certaintyText: String {
    switch certainty {
    case .proven: "proven: the kernel gives the same answer"
    case .predicted: caveat ?? "predicted from the facts: the kernel was not asked"
    case .undecided: "undecided: the facts do not suffice"
    }
  }

  /// What could still refuse; a refusal needs no such warning.
  var caveat: String? {
    certainty == .predicted && answer == .allowed
      ? "predicted: a layer that was not observed could still refuse" : nil
  }
}

internal import AccessModel

extension Explanation {
  /// Describes how certain the answer and its cause are.
  func certaintyText(_ facts: AccessFacts) -> String {
    let isTried = answer == .refused && facts.attempts.contains { $0.path == path && $0.errno != 0 }
    let proof = isTried ? "the attempt failed" : "the kernel's own check agrees"
    return switch (answerCertainty, certainty) {
    case (.proven, .proven): "proven (\(proof))"
    case (.proven, _): "answer proven (\(proof)); the cause is likely, not proven"
    case (.predicted, _) where isTried: "the attempt failed; the cause is likely, not proven"
    case (.predicted, _): caveat ?? "predicted from the facts"
    case (.undecided, _): "undetermined (facts are missing)"
    }
  }

  /// A warning about the layers that may still deny allowed access; `nil` without a sign of any.
  var caveat: String? {
    guard !doubts.isEmpty else { return nil }
    let names = doubts.prefix(3).map { "\(Escaped($0))" }
    return "predicted; \(names.listed(with: "or")) may still deny access"
  }

  /// The status and the availability, or only one word if they are the same.
  var statusWords: [String] {
    status.rawValue == availability.rawValue
      ? [status.rawValue] : [status.rawValue, availability.rawValue]
  }

  /// Describes why the answer is undetermined.
  func unknown(_ style: Style) -> String {
    if let disagreement { return style.safe(disagreement, limit: 512) }
    if case .undecided(let reason) = decision.outcome {
      return style.safe(unobserved.completing(reason), limit: 512)
    }
    let layers = unobserved.map { style.safe($0.layerName, limit: 64) }
    return "not observed: " + (layers.isEmpty ? "what matters" : layers.joined(separator: ", "))
  }
}

extension Unobserved {
  /// The name of the layer in the text output.
  ///
  /// The JSON name is replaced if it is an internal term.
  var layerName: String { layer == "device-program" ? "device cgroup" : layer }
}

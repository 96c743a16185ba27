internal import AccessModel

extension Explanation {
  /// How far the answer and its cause can be relied on, in words.
  var certaintyText: String {
    switch (answerCertainty, certainty) {
    case (.proven, .proven): "proven (the kernel's own check agrees)"
    case (.proven, _): "answer proven (the kernel's own check agrees), cause likely"
    case (.predicted, _): caveat ?? "predicted from the facts"
    case (.undecided, _): "undetermined (facts are missing)"
    }
  }

  /// The layers that may still deny an allowed access, if the facts show a sign of them.
  var caveat: String? {
    let names = doubts.prefix(3).map { "\(Escaped($0))" }
    guard let last = names.last else { return nil }
    let others = names.dropLast().joined(separator: ", ")
    return "predicted; \(others.isEmpty ? "" : others + " or ")\(last) may still deny access"
  }

  /// The status and the availability, unless the one says the other.
  var statusWords: [String] {
    status.rawValue == availability.rawValue
      ? [status.rawValue] : [status.rawValue, availability.rawValue]
  }

  /// What keeps the facts from deciding.
  func unknown(_ style: Style) -> String {
    if let disagreement { return style.safe(disagreement, limit: 512) }
    if case .undecided(let reason) = decision.outcome {
      return style.safe(unobserved.completing(reason), limit: 512)
    }
    let layers = unobserved.map { style.safe($0.layer, limit: 64) }
    return "not observed: " + (layers.isEmpty ? "what matters" : layers.joined(separator: ", "))
  }
}

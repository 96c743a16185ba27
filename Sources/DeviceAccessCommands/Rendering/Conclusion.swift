internal import AccessModel

/// The answer to a question in one word, and with it the exit status.
enum Conclusion: String, Hashable, Sendable, Encodable {
  case allowed, refused, undetermined, absent

  /// What an explanation comes down to.
  ///
  /// A contradiction between the model and the kernel makes the certainty `undecided`, and so
  /// neither an allowance nor a refusal.
  init(_ explanation: Explanation) {
    if explanation.availability == .absent || explanation.decision.leadsNowhere {
      self = .absent
    } else if explanation.certainty == .undecided {
      self = .undetermined
    } else {
      self.init(explanation.decision.outcome)
    }
  }

  init(_ outcome: Outcome) {
    switch outcome {
    case .granted: self = .allowed
    case .denied: self = .refused
    case .undecided: self = .undetermined
    }
  }

  var exitStatus: ExitStatus {
    switch self {
    case .allowed: .allowed
    case .refused: .refused
    case .undetermined: .undetermined
    case .absent: .absent
    }
  }

  var tone: Style.Tone {
    switch self {
    case .allowed: .good
    case .refused: .bad
    case .undetermined, .absent: .unsure
    }
  }
}

extension Decision {
  /// Whether the walk ended because there is nothing at the path.
  var leadsNowhere: Bool {
    switch rule {
    case .walkNoEntry, .walkNotDirectory, .walkTooManyLinks, .walkNameTooLong: !isGranted
    default: false
    }
  }
}

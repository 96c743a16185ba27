internal import AccessModel

extension DeviceFacts {
  /// The role, followed by how sure it is unless the driver itself said so.
  var roleText: String {
    roleConfidence == .certain ? role.rawValue : "\(role.rawValue) (\(roleConfidence.rawValue))"
  }
}

extension Explanation {
  /// How far the answer and its cause can be relied on, in words.
  var certaintyText: String {
    switch (answerCertainty, certainty) {
    case (.proven, .proven): "proven: the kernel gives the same answer"
    case (.proven, _): "answer proven by the kernel, cause likely"
    case (.predicted, _):
      answer == .allowed
        ? "predicted: layers that cannot be observed could still refuse"
        : "predicted from the facts"
    case (.undecided, _): "undecided: the facts do not suffice"
    }
  }

  /// The status and the availability, unless the one says the other.
  var statusWords: [String] {
    status.rawValue == availability.rawValue
      ? [status.rawValue] : [status.rawValue, availability.rawValue]
  }
}

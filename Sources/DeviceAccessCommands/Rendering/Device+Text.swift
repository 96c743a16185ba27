internal import AccessModel

extension DeviceFacts {
  /// The role, followed by how sure it is unless the driver itself said so.
  var roleText: String {
    roleConfidence == .certain ? role.rawValue : "\(role.rawValue) (\(roleConfidence.rawValue))"
  }
}

extension Certainty {
  /// How far the answer can be relied on, in words.
  var words: String {
    switch self {
    case .proven: "proven: the kernel gives the same answer"
    case .predicted: "predicted: layers that cannot be observed could still refuse"
    case .undecided: "undecided: the facts do not suffice"
    }
  }
}

extension Explanation {
  /// The status in one word; there is none where there is nothing to have permission for.
  var statusText: String {
    status?.rawValue ?? (availability == .absent ? "none" : "unknown")
  }
}

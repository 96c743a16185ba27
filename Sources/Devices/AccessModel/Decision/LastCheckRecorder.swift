/// A recorder that keeps only the last check, which is the one that decided.
///
/// A counterfactual needs only the end of a decision, so the earlier checks are not recorded.
struct LastCheckRecorder: DecisionRecorder {
  private enum Matter {
    case node(RecordedKind, Int32, Permissions)
    case name(NameReference, directory: Int32, isFinal: Bool)
    case creation(NameReference, directory: Int32)
  }

  private var last: (matter: Matter, finding: Finding, doubt: MissingFact?)?

  mutating func record(
    _ kind: RecordedKind, node: Int32, wanted: Permissions, finding: Finding, doubt: MissingFact?
  ) {
    last = (.node(kind, node, wanted), finding, doubt)
  }

  mutating func recordName(
    _ name: NameReference, in directory: Int32, isFinal: Bool, finding: Finding,
    doubt: MissingFact?
  ) {
    last = (.name(name, directory: directory, isFinal: isFinal), finding, doubt)
  }

  mutating func recordCreation(
    _ name: NameReference, in directory: Int32, finding: Finding, doubt: MissingFact?
  ) {
    last = (.creation(name, directory: directory), finding, doubt)
  }

  /// The final object, or -1 if the walk ended before it.
  var object: Int32 {
    if case .node(.final, let node, _)? = last?.matter { node } else { -1 }
  }

  /// The directory in which the name would be created, or -1 if creation was not checked.
  var creationDirectory: Int32 {
    if case .creation(_, let directory)? = last?.matter { directory } else { -1 }
  }

  /// Passes the last check to another recorder.
  func replay(into recorder: inout some DecisionRecorder) {
    guard let (matter, finding, doubt) = last else { return }
    switch matter {
    case .node(let kind, let node, let wanted):
      recorder.record(kind, node: node, wanted: wanted, finding: finding, doubt: doubt)
    case .name(let name, let directory, let isFinal):
      recorder.recordName(name, in: directory, isFinal: isFinal, finding: finding, doubt: doubt)
    case .creation(let name, let directory):
      recorder.recordCreation(name, in: directory, finding: finding, doubt: doubt)
    }
  }
}

internal import AccessModel

/// Selects the facts about the requested targets from the snapshots in a file.
struct SnapshotSelection {
  /// The maximum number of subjects to list in an error message.
  private static let mostListed = 8

  let targets: [Question.Target]
  private var found: Set<Question.Target> = []
  /// The kinds and paths that the snapshots are about, without duplicates.
  private var subjects: [String] = []

  /// Creates a selection of the given targets; without targets, everything is selected.
  init(_ targets: [Question.Target]) {
    self.targets = targets
  }

  /// Returns the facts about each target that the snapshot covers, in the order of the targets.
  mutating func select(from facts: AccessFacts) -> [AccessFacts] {
    guard !targets.isEmpty else { return [facts] }
    let subject = facts.kind ?? facts.access.request.path
    if subjects.count < Self.mostListed, !subjects.contains(subject) { subjects.append(subject) }
    return targets.compactMap { target in
      guard let selected = facts.about(target) else { return nil }
      found.insert(target)
      return selected
    }
  }

  /// Creates a failure that lists the targets that no snapshot covers.
  ///
  /// - Parameter name: The name of the file, for the message.
  /// - Returns: The failure; `nil` if every target was found.
  func failure(in name: String) -> CommandFailure? {
    let missing = targets.filter { !found.contains($0) }
    guard !missing.isEmpty else { return nil }
    let words = missing.map { target in
      switch target {
      case .kind(let kind): kind.name
      case .path(let path): Escaped(path, limit: 512).description
      }
    }
    let held = subjects.map { Escaped($0, limit: 128).description }.joined(separator: ", ")
    return CommandFailure(
      "\(name) has no snapshot of \(words.joined(separator: ", "))"
        + (held.isEmpty ? "" : "; it has \(held)"), .undetermined)
  }
}

extension AccessFacts {
  /// Returns the facts with the target as the question; `nil` if they do not cover the target.
  fileprivate func about(_ target: Question.Target) -> AccessFacts? {
    switch target {
    case .kind(let kind): return self.kind == kind.name ? self : nil
    case .path(let path):
      if self.kind == nil, access.request.path == path { return self }
      guard let object = access.object(at: path), !object.unobserved.contains(.status) else {
        return nil
      }
      var facts = self
      facts.kind = nil
      facts.access.request = Question(target).request(for: path, type: object.type)
      return facts
    }
  }
}

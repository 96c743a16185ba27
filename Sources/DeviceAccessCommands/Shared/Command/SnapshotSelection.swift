internal import AccessModel

/// Selects what a file of snapshots says about kinds and paths.
struct SnapshotSelection {
  /// More subjects than an error message lists.
  private static let mostListed = 8

  let targets: [Question.Target]
  private var found: Set<Question.Target> = []
  /// What the snapshots are about, each once.
  private var subjects: [String] = []

  /// Selects nothing but these; everything if there is none.
  init(_ targets: [Question.Target]) {
    self.targets = targets
  }

  /// The facts about each target, in their order.
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

  /// Why not every target was found.
  ///
  /// - Parameter name: The file, for messages.
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
  /// The facts as an answer to a question about something that they hold; `nil` if they do not.
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

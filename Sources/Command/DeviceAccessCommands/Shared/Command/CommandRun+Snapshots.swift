internal import AccessModel

extension CommandRun {
  /// Reads the snapshots in a file, in order and one at a time.
  ///
  /// In a stream, a document that is not a snapshot is reported with its line number, and reading
  /// continues with the next line. If the file contains a single document, or starts with a
  /// document of another format, that error is thrown instead.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - targets: The targets to answer; if empty, everything that each snapshot is about.
  ///   - body: Answers one snapshot and returns the exit status; the first snapshot has the index
  ///     0.
  /// - Throws: The error of a single document, or an error while reading or writing.
  /// - Returns: The highest exit status. In a stream, it is at least 64 if a document is not a
  ///   snapshot, and at least 2 if the file says nothing about one of several targets.
  func answers(
    in file: consuming InputFile, about targets: [Question.Target] = [],
    _ body: (AccessFacts, Int) throws -> ExitStatus
  ) throws -> ExitStatus {
    let name = file.name
    var documents = SnapshotReader(file)
    var highest = ExitStatus.allowed
    var selection = SnapshotSelection(targets)
    var isFirst = true
    var index = 0
    while let document = try documents.next() {
      let line = document.line
      // Throw the error of the only document or target; report the others and continue.
      func report(_ error: any Error) throws -> ExitStatus {
        guard line != nil || targets.count > 1, let failure = CommandFailure(reporting: error)
        else {
          throw error
        }
        return self.report(failure, line: line)
      }
      do {
        for facts in selection.select(from: try document.facts.get()) {
          do {
            highest = max(highest, try body(facts, index))
          } catch {
            highest = max(highest, try report(error))
          }
          index += 1
        }
      } catch let error as InputError {
        if line == nil || isFirst && error.isOtherFormat { throw error }
        highest = max(highest, try report(error))
        index += 1
      }
      isFirst = false
    }
    if let failure = selection.failure(in: name) {
      guard index > 0 else { throw failure }
      streams.report(failure.message)
      highest = max(highest, reportFailure(failure))
    }
    return highest
  }

  private func report(_ failure: CommandFailure, line: Int?) -> ExitStatus {
    let place = line.map { "line \($0): " } ?? ""
    let failure = CommandFailure(place + failure.message, failure.status)
    streams.report(failure.message)
    return reportFailure(failure)
  }
}

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

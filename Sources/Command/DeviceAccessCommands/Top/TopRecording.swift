internal import AccessModel
internal import LegoKit

extension CommandRun {
  /// The maximum number of snapshots to show.
  private static let mostRecordings = 1024

  /// Reads the snapshots of a source.
  ///
  /// - Throws: ``InputError`` or ``CommandFailure`` if the source has no snapshot or too many.
  /// - Returns: The snapshots, and an exit status that reports documents that are not snapshots.
  func recorded(_ source: AnswerSource) throws -> (facts: [AccessFacts], status: ExitStatus) {
    var recorded: [AccessFacts] = []
    var status = ExitStatus.allowed
    switch source {
    case .machine: break
    case .file(let path, _, _, let targets):
      status = try answers(
        in: try InputFile(path, standardInput: streams.input), about: targets
      ) { facts, _ in
        guard recorded.count < Self.mostRecordings else {
          throw CommandFailure("more than \(Self.mostRecordings) snapshots", .usage)
        }
        recorded.append(facts)
        return .allowed
      }
      guard !recorded.isEmpty else {
        throw CommandFailure("'\(style.safe(path, limit: 256))' contains no snapshot", .usage)
      }
    case .example:
      recorded.append(
        try SnapshotFile.decode(
          PackageResources.example_snapshot_json, name: "the example snapshot"
        ).get())
    }
    return (recorded, status)
  }
}

extension TopDesign {
  /// Shows recorded facts instead of this machine.
  mutating func takeRecording(_ recorded: [AccessFacts]) {
    isRecorded = true
    var scan = TopScan(
      recorded.map { (TopQuestion(question: $0.recordedQuestion, isNamed: true), $0) })
    let uses = recorded.compactMap(\.use)
    if var use = uses.first {
      for other in uses.dropFirst() {
        use.devices += other.devices
        use.unseen.count = max(use.unseen.count, other.unseen.count)
        use.unseen.reasons.formUnion(other.unseen.reasons)
      }
      scan.use = use
    }
    take(scan)
  }
}

/// Looks up the facts for a row's details in a recording.
final class RecordedAdaptor: Adaptor<TopBlueprint> {
  private let recorded: [AccessFacts]

  init(_ recorded: [AccessFacts]) {
    self.recorded = recorded
  }

  override var follows: [Follow<TopBlueprint>] {
    let recorded = recorded
    return [
      Follow(\.detailQuestion) { question in
        guard let question else { return .none }
        return .run { send in
          guard let facts = recorded.lazy.compactMap({ $0.asking(question) }).first else { return }
          send(.observed(question, facts))
        }
      }
    ]
  }
}

extension AccessFacts {
  /// The question that a recording answers.
  var recordedQuestion: Question {
    if let kind = kind.flatMap(DeviceKind.named) {
      return Question(.kind(kind), wanted: access.request.permissions)
    }
    return Question(.path(access.request.path), wanted: access.request.permissions)
  }

  /// Returns the facts with the given question; `nil` if they do not cover its target.
  fileprivate func asking(_ question: Question) -> AccessFacts? {
    if question == recordedQuestion { return self }
    guard case .path(let path) = question.target, devices.contains(where: { $0.node == path })
    else { return nil }
    var own = self
    own.kind = nil
    own.access.request = access.request.at(path)
    return own
  }
}

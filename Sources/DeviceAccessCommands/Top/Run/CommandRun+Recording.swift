internal import AccessModel

extension CommandRun {
  /// More snapshots than a screen is for.
  private static let mostRecordings = 1024

  /// The snapshots of a source.
  ///
  /// - Throws: ``InputError`` or ``CommandFailure`` where there is none, or where there are too many.
  func recorded(_ source: FactsSource) throws -> [AccessFacts] {
    var recorded: [AccessFacts] = []
    switch source {
    case .machine: break
    case .file(let path, _, _):
      _ = try answers(in: try InputFile(path, standardInput: streams.input)) { facts, _ in
        guard recorded.count < Self.mostRecordings else {
          throw CommandFailure("more than \(Self.mostRecordings) snapshots", .usage)
        }
        recorded.append(facts)
        return .allowed
      }
    case .example:
      recorded.append(
        try SnapshotFile.decode(
          PackageResources.example_snapshot_json, name: "the example snapshot"
        ).get())
    }
    return recorded
  }
}

extension TopDesign {
  /// Shows recorded facts from now on.
  mutating func takeRecording(_ recorded: [AccessFacts]) {
    isRecorded = true
    var look = TopLook(
      recorded.map { (TopQuestion(question: $0.recordedQuestion, isNamed: true), $0) })
    let uses = recorded.compactMap(\.use)
    if var use = uses.first {
      for other in uses.dropFirst() {
        use.devices += other.devices
        use.unseen.count = max(use.unseen.count, other.unseen.count)
        use.unseen.reasons.formUnion(other.unseen.reasons)
      }
      look.use = use
    }
    take(look)
  }
}

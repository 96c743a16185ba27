internal import AccessModel

extension CommandRun {
  /// Goes through the snapshots in a file, in order and one at a time.
  ///
  /// In a stream, a document that is none is reported with the number of its line, and the others
  /// are still answered; a document that stands alone fails the command.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - body: Answers one document and says with which status; the first has the index 0.
  /// - Throws: What a document that stands alone fails with, and what writing fails with.
  /// - Returns: The highest of the exit statuses, which in a stream is 64 when a document was
  ///   none.
  func answers(
    in file: consuming InputFile, _ body: (AccessFacts, Int) throws -> ExitStatus
  ) throws -> ExitStatus {
    var documents = SnapshotReader(file)
    var highest = ExitStatus.allowed
    var index = 0
    while let document = try documents.next() {
      do {
        highest = max(highest, try body(try document.facts.get(), index))
      } catch {
        guard let line = document.line, let failure = CommandFailure(input: error) else {
          throw error
        }
        highest = max(highest, report(failure, line: line))
      }
      index += 1
    }
    return highest
  }

  private func report(_ failure: CommandFailure, line: Int) -> ExitStatus {
    let failure = CommandFailure("line \(line): \(failure.message)", failure.status)
    streams.report(failure.message)
    return reportFailure(failure)
  }
}

extension CommandFailure {
  /// What is the matter with a document; `nil` for an error that is not the document's.
  fileprivate init?(input error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as InputError: self.init(error.description, error.status)
    default: return nil
    }
  }
}

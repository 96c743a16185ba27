internal import AccessModel

extension CommandRun {
  /// Goes through the snapshots in a file, in order and one at a time.
  ///
  /// In a stream, a document that is not a snapshot is reported with the number of its line, and the
  /// others are still answered. A single document, and a file of another format, fail the command.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - targets: What is asked about; everything in the file if empty.
  ///   - body: Answers one snapshot and returns the status; the first has the index 0.
  /// - Throws: What a document that stands alone fails with, and what writing fails with.
  /// - Returns: The highest of the exit statuses. In a stream it is 64 if a document is not a
  ///   snapshot, and 2 if the file says nothing about one of several targets.
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
      // What fails is reported, unless nothing else is asked about.
      func report(_ error: any Error) throws -> ExitStatus {
        guard line != nil || targets.count > 1, let failure = CommandFailure(input: error) else {
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

internal import AccessModel
internal import JSONText

/// The `devaccess decide` command, which answers one case per line in constant memory.
struct DecideCommand {
  /// The input file; `-` for standard input.
  let input: String
}

extension DecideCommand: Command {
  static let declaration = CommandDeclaration(
    name: .decide,
    summary: "answer access questions in JSON, one per line",
    options: [.from, .json],
    details: """
      Reads one case, a JSON object, from each line, and writes one answer per line. Reads standard \
      input without --from.
      """,
    examples: [("devaccess decide --from cases.jsonl", "print one answer per line")])

  /// The maximum number of cases in a batch, whose answers are written together.
  private static let casesAtOnce = 64

  init(_ arguments: CommandArguments) {
    input = arguments.value(.from) ?? "-"
  }

  func run(_ context: CommandRun) async throws -> ExitStatus {
    var lines = LineReader(try InputFile(input, standardInput: context.streams.input))
    var number = 0
    /// The number of the first line that is not blank.
    var first: Int?
    var status = ExitStatus.allowed
    var cases: [AccessCase] = []
    while let line = try lines.next() {
      number += 1
      if first == nil, !line.isBlank { first = number }
      do {
        if let access = try accessCase(in: line) { cases.append(access) }
      } catch {
        if number == first, case .text(let bytes) = line,
          let format = ForeignInput.description(of: bytes, readsCases: true)
        {
          throw InputError(
            "line \(number): the input is \(format); 'decide' expects one case per line")
        }
        // Print the earlier answers before the error, in case both streams are the same terminal.
        try answer(&cases, context)
        context.streams.report("line \(number): \(SnapshotFile.problem(error))")
        status = .usage
      }
      // Answer before reading blocks, because the writer may wait for an answer before it sends the
      // next case.
      if cases.count == Self.casesAtOnce || !lines.hasBufferedLine { try answer(&cases, context) }
    }
    return status
  }

  private func answer(_ cases: inout [AccessCase], _ context: CommandRun) throws {
    guard !cases.isEmpty else { return }
    var text = ""
    for access in cases { text += try JSONWriter.encode(access.answer()) + "\n" }
    cases.removeAll(keepingCapacity: true)
    try context.streams.output.write(text)
  }

  /// Decodes the case on a line; returns `nil` if the line is blank.
  private func accessCase(in line: LineReader.Line) throws -> AccessCase? {
    guard case .text(let bytes) = line else {
      throw InputError("longer than \(LineReader.limit >> 20) MiB")
    }
    return line.isBlank ? nil : try JSONReader.decode(AccessCase.self, from: bytes)
  }
}

internal import AccessModel
internal import DevicePermissions
internal import Glibc
internal import LegoKit

extension CommandRun {
  /// `devaccess list`.
  func list(_ kind: DeviceKind, probe: Bool) async throws -> ExitStatus {
    try await build(.list(kind))
    if probe { await store.build(.probe(kind)).finished() }
    let listings = store.design.devices.listings[kind] ?? []
    if invocation.json { return try show(json: ListOutput(kind, listings)) }
    return try show(ListText(kind: kind, listings: listings, style: style).text)
  }

  /// `devaccess snapshot`.
  func snapshot(_ question: Question, file: String?) async throws -> ExitStatus {
    try await build(.observe(question))
    guard var facts = store.design.devices.facts else {
      throw CommandFailure("nothing was observed", .internalError)
    }
    if invocation.probes {
      let answer = Answer(facts: facts, explanation: facts.explain())
      await store.build(.attempt(answer)).finished()
      facts = store.design.answers.last?.facts ?? facts
    }
    guard let file, file != "-" else {
      if invocation.json { return try show(json: SnapshotOutput(snapshot: facts, file: nil)) }
      return try show(JSONWriter.encode(facts, layout: .indented) + "\n")
    }
    try SnapshotFile.write(facts, to: file)
    if invocation.json { return try show(json: SnapshotOutput(snapshot: nil, file: file)) }
    return .allowed
  }

  /// `devaccess decide`: one case in, one answer out, in constant memory.
  func decide(_ input: String) async throws -> ExitStatus {
    var lines = LineReader(try InputFile(input, standardInput: program.input))
    var number = 0
    var status = ExitStatus.allowed
    var pending = ""
    while let line = try lines.next() {
      number += 1
      do {
        if let answer = try answer(to: line) { pending += try JSONWriter.encode(answer) + "\n" }
      } catch {
        // The answers before it come first, also where both streams are the same terminal.
        try program.output.write(pending)
        pending = ""
        program.complain("line \(number): \(SnapshotFile.problem(error))")
        status = .usage
      }
      // A reader that waits for an answer before it sends the next case gets it.
      if pending.utf8.count >= 64 * 1024 || !lines.hasBufferedLine {
        try program.output.write(pending)
        pending = ""
      }
    }
    return status
  }

  /// The answer to a line; `nil` for a blank one.
  private func answer(to line: LineReader.Line) throws -> CaseAnswer? {
    guard case .text(let bytes) = line else {
      throw InputError("it is longer than \(LineReader.limit >> 20) MiB")
    }
    guard bytes.contains(where: { $0 > 0x20 }) else { return nil }
    store.build(.decide(try JSONReader.decode(AccessCase.self, from: bytes)))
    return store.design.caseAnswer
  }
}

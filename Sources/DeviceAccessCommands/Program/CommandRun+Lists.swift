internal import AccessModel
internal import DevicePermissions
internal import Glibc
internal import LegoKit

extension CommandRun {
  /// `devaccess list`.
  func list(
    _ kind: DeviceKind, probe: Bool, _ subject: SubjectWords
  ) async throws -> ExitStatus {
    if subject != SubjectWords() { return try await list(kind, for: subject) }
    if probe { return try await listProbing(kind) }
    try await build(.list(kind))
    let listings = store.design.devices.listings[kind] ?? []
    if invocation.json { return try show(json: ListOutput(kind, listings)) }
    return try show(ListText(kind: kind, listings: listings, style: style).text)
  }

  /// The devices with what opening each of them came to.
  private func listProbing(_ kind: DeviceKind) async throws -> ExitStatus {
    try await build(.observe(Question(.kind(kind))))
    guard let observed = store.design.devices.facts else {
      throw CommandFailure("nothing was observed", .internalError)
    }
    await store.build(.probe(observed, isList: true)).finished()
    let facts = store.design.answers.last?.facts ?? observed
    let listings = facts.listings(of: kind)
    if invocation.json {
      return try show(json: ListOutput(kind, listings, attempts: facts.attempts))
    }
    let text = ListText(kind: kind, listings: listings, style: style, attempts: facts.attempts)
    return try show(text.text)
  }

  /// The devices with the access that another subject has.
  private func list(_ kind: DeviceKind, for subject: SubjectWords) async throws -> ExitStatus {
    let question = Question(
      .kind(kind), subject: subject.selector, variation: subject.variation)
    try await build(.observe(question))
    guard let facts = store.design.devices.facts else {
      throw CommandFailure("nothing was observed", .internalError)
    }
    let listings = facts.listings(of: kind)
    if invocation.json { return try show(json: ListOutput(kind, listings, facts: facts)) }
    let heading = "for " + SubjectText(facts: facts, style: style).origin + "\n"
    return try show(heading + ListText(kind: kind, listings: listings, style: style).text)
  }

  /// `devaccess snapshot`.
  func snapshot(_ question: Question, redact: Bool, file: String?) async throws -> ExitStatus {
    try await build(.observe(question))
    guard var facts = store.design.devices.facts else {
      throw CommandFailure("nothing was observed", .internalError)
    }
    if invocation.probes {
      await store.build(.probe(facts, isList: false)).finished()
      facts = store.design.answers.last?.facts ?? facts
    }
    if redact {
      guard let redacted = facts.redacted() else {
        throw CommandFailure(
          "the answer depends on what --redact would replace: there is no redacted snapshot",
          .undetermined)
      }
      facts = redacted
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
    var cases: [AccessCase] = []
    while let line = try lines.next() {
      number += 1
      do {
        if let access = try accessCase(in: line) { cases.append(access) }
      } catch {
        // The answers before it come first, also where both streams are the same terminal.
        try answer(&cases)
        program.complain("line \(number): \(SnapshotFile.problem(error))")
        status = .usage
      }
      // A reader that waits for an answer before it sends the next case gets it.
      if cases.count == Self.casesAtOnce || !lines.hasBufferedLine { try answer(&cases) }
    }
    return status
  }

  /// As many cases are held at a time; one change for each of them would cost as much as deciding.
  private static var casesAtOnce: Int { 64 }

  private func answer(_ cases: inout [AccessCase]) throws {
    guard !cases.isEmpty else { return }
    store.build(.decide(cases))
    cases.removeAll(keepingCapacity: true)
    var text = ""
    for answer in store.design.caseAnswers { text += try JSONWriter.encode(answer) + "\n" }
    try program.output.write(text)
  }

  /// The case on a line; `nil` for a blank one.
  private func accessCase(in line: LineReader.Line) throws -> AccessCase? {
    guard case .text(let bytes) = line else {
      throw InputError("it is longer than \(LineReader.limit >> 20) MiB")
    }
    return line.isBlank ? nil : try JSONReader.decode(AccessCase.self, from: bytes)
  }
}

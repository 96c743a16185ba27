internal import AccessModel
internal import DevicePermissions
internal import Glibc
internal import JSONText
internal import LegoKit

extension CommandRun {
  /// `devaccess list`.
  ///
  /// Without a kind it lists every kind. Opening every device of a machine has too many effects
  /// (a serial port resets what is behind it), so that `--probe` alone is for cameras.
  func list(
    _ kind: DeviceKind?, probe: Bool, _ subject: SubjectWords
  ) async throws -> ExitStatus {
    let all = DeviceKind.all.filter { $0.subsystem != nil }
    let kinds = kind.map { [$0] } ?? (probe ? [.camera] : all)
    var lists: [DeviceList] = []
    var facts: AccessFacts?
    var attempts: [Attempt] = []
    for kind in kinds {
      if probe {
        let probed = try await opened(kind)
        attempts += probed.attempts
        lists.append(DeviceList(kind: kind, listings: probed.listings(of: kind)))
      } else if subject == SubjectWords() {
        try await build(.list(kind))
        lists.append(
          DeviceList(kind: kind, listings: store.design.devices.listings[kind] ?? []))
      } else {
        let observed = try await observe(kind, subject)
        facts = observed
        lists.append(DeviceList(kind: kind, listings: observed.listings(of: kind)))
      }
    }
    let isWhole = kinds.count > 1
    if invocation.json {
      return try show(
        json: ListOutput(lists, isWhole: isWhole, facts: facts, attempts: attempts))
    }
    let heading = facts.map { "for " + SubjectText(facts: $0, style: style).origin + "\n" } ?? ""
    let text = ListText(lists: lists, style: style, attempts: probe ? attempts : nil)
    return try show(heading + text.text)
  }

  /// The devices of a kind, after each of them was opened once.
  private func opened(_ kind: DeviceKind) async throws -> AccessFacts {
    let observed = try await observe(kind, SubjectWords())
    await store.build(.probe(observed, isList: true)).finished()
    return store.design.answers.last?.facts ?? observed
  }

  /// The devices of a kind as a subject sees them.
  private func observe(
    _ kind: DeviceKind, _ subject: SubjectWords
  ) async throws -> AccessFacts {
    try await build(
      .observe(
        Question(.kind(kind), subject: subject.selector, variation: subject.variation)))
    guard let facts = store.design.devices.facts else {
      throw CommandFailure("nothing was observed", .internalError)
    }
    return facts
  }

  /// `devaccess snapshot`: one document, or for several questions a stream of them, one a line.
  func snapshots(_ questions: [Question], redact: Bool, file: String?) async throws -> ExitStatus {
    for (index, question) in questions.enumerated() {
      let line = questions.count > 1 ? index : nil
      _ = try await snapshot(question, redact: redact, file: file, line: line)
    }
    return .allowed
  }

  private func snapshot(
    _ question: Question, redact: Bool, file: String?, line: Int?
  ) async throws -> ExitStatus {
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
          "cannot redact: the answer depends on a name that --redact would replace",
          .undetermined)
      }
      facts = redacted
    }
    guard let file, file != "-" else {
      if invocation.json { return try show(json: SnapshotOutput(snapshot: facts, file: nil)) }
      let layout: JSONWriter.Layout = line == nil ? .indented : .compact
      return try show(JSONWriter.encode(facts, layout: layout) + "\n")
    }
    try SnapshotFile.write(facts, to: file, line: line)
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
      throw InputError("longer than \(LineReader.limit >> 20) MiB")
    }
    return line.isBlank ? nil : try JSONReader.decode(AccessCase.self, from: bytes)
  }
}

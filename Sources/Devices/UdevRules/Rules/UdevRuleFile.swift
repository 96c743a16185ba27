/// A rules file as udevd interprets it.
public struct UdevRuleFile: Hashable, Sendable {
  /// The path of the file.
  public let path: String
  /// The lines that udevd keeps, in the order of the file.
  public private(set) var lines: [UdevRuleLine] = []
  /// The problems, in the order of their lines.
  public private(set) var problems: [UdevRuleProblem] = []

  /// Parses a file, which may contain any bytes.
  public init(path: String, bytes: [UInt8], version: UdevRuleVersion) {
    self.path = path
    var reader = UdevRuleLineReader(bytes)
    let isASCII = bytes.reduce(0, |) < 0x80
    var isWhole = true
    while let item = reader.next() {
      switch item {
      case .line(let line):
        add(line, version, isASCII: isASCII)
      case .problem(.lineTooLong, let number):
        isWhole = false
        let drops = version.dropsFilesWithLongLines
        if drops { lines = [] }
        report(.lineTooLong, number, drops ? .ignoresFile : .ignoresRest)
      case .problem(let code, let number):
        report(code, number, .ignoresLine)
      }
    }
    if isWhole { resolveJumps() } else { forgetJumps() }
    problems.sort { $0.line < $1.line }
  }

  /// Returns the problem that makes udevd ignore the rest of a line but apply the part before it.
  package func cut(ofLine number: Int) -> UdevRuleProblem? {
    problems.first {
      $0.line == number && $0.code == .invalidPair && $0.consequence == .ignoresPart
    }
  }

  private mutating func report(
    _ code: UdevRuleProblem.Code, _ line: Int, _ consequence: UdevRuleProblem.Consequence,
    _ subject: UdevRuleText = ""
  ) {
    problems.append(
      UdevRuleProblem(line: line, code: code, consequence: consequence, subject: subject))
  }

  private mutating func add(
    _ text: UdevRuleLineReader.Line, _ version: UdevRuleVersion, isASCII: Bool
  ) {
    let number = text.numbers.lowerBound
    if !isASCII, String(validating: text.text, as: UTF8.self) == nil {
      report(.notUTF8, number, .none)
    }
    var parser = UdevRuleLineParser(text, version)
    var refusal: UdevRuleLineParser.Refusal?
    do {
      try parser.parse()
    } catch {
      refusal = error
    }
    for note in parser.notes {
      report(note.code, number, note.isPart ? .ignoresPart : .none, note.subject)
    }
    if let refusal {
      report(refusal.code, number, .ignoresLine, refusal.subject)
      return
    }
    let line = UdevRuleLine(
      numbers: text.numbers, tokens: parser.tokens, label: parser.label, jump: parser.jump)
    guard line.hasEffect else {
      report(.noEffect, number, .ignoresLine)
      return
    }
    lines.append(line)
  }

  /// Resolves the labels of jumps, and drops lines that have no effect without their label.
  private mutating func resolveJumps() {
    guard lines.contains(where: { $0.jump != nil }) else { return }
    // The next line with a label, for the lines above the current one.
    var next: [UdevRuleText: Int] = [:]
    var missing: [Int] = []
    for index in lines.indices.reversed() {
      if let jump = lines[index].jump {
        lines[index].target = next[jump]
        if next[jump] == nil { missing.append(index) }
      }
      if let label = lines[index].label { next[label] = index }
    }
    var dropped: Set<Int> = []
    for index in missing {
      report(.missingLabel, lines[index].number, .ignoresPart, lines[index].jump ?? "")
      lines[index].jump = nil
      if lines[index].label != nil {
        if !lines[index].acts { lines[index].tokens = [] }
      } else if !lines[index].hasEffect {
        dropped.insert(index)
      }
    }
    drop(dropped)
  }

  private mutating func drop(_ dropped: Set<Int>) {
    guard !dropped.isEmpty else { return }
    var places: [Int] = []
    var kept: [UdevRuleLine] = []
    for (index, line) in lines.enumerated() {
      places.append(kept.count)
      if !dropped.contains(index) { kept.append(line) }
    }
    for index in kept.indices {
      kept[index].target = kept[index].target.map { places[$0] }
    }
    lines = kept
  }

  /// Removes the targets of all jumps, because udevd resolves labels only if it reads a file to the
  /// end.
  private mutating func forgetJumps() {
    for index in lines.indices { lines[index].target = nil }
  }
}

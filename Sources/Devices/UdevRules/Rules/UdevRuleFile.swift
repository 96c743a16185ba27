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

/// A problem in a rules file, with its consequence.
public struct UdevRuleProblem: Hashable, Sendable {
  /// The kind of problem.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A line has 16384 bytes or more, and udevd stops reading there.
    case lineTooLong
    /// Continued lines have 16384 bytes or more in total.
    case continuationTooLong
    /// The file ends after a backslash.
    case unfinishedContinuation
    /// A key lacks an operator or a value in double quotes.
    case invalidPair
    /// The key is unknown.
    case unknownKey
    /// The text in braces is missing, not allowed or unknown.
    case invalidAttribute
    /// The key does not accept the operator.
    case invalidOperator
    /// The key does not accept the operator, and udevd uses another one.
    case assumedOperator
    /// The key does not accept the prefix `i`.
    case invalidPrefix
    /// The key does not accept the value.
    case invalidValue
    /// A substitution is incomplete or unknown.
    case invalidSubstitution
    /// The option is unknown.
    case unknownOption
    /// Rules cannot set the property.
    case fixedProperty
    /// The line already has a `GOTO`.
    case repeatedJump
    /// No later line has the label of the `GOTO`.
    case missingLabel
    /// The line has no effect.
    case noEffect
    /// The line is not UTF-8, which is allowed but rarely intended.
    case notUTF8
  }

  /// The consequence of a problem for the rules that udevd applies.
  public enum Consequence: String, Hashable, Sendable {
    /// udevd ignores the whole file.
    case ignoresFile
    /// udevd ignores the rest of the file, and no `GOTO` in the file works.
    case ignoresRest
    /// udevd ignores the line.
    case ignoresLine
    /// udevd ignores a part of the line.
    case ignoresPart
    /// udevd ignores nothing.
    case none
  }

  /// The number of the line, counted from 1.
  public let line: Int
  /// The kind of problem.
  public let code: Code
  /// The consequence for the rules that udevd applies.
  public let consequence: Consequence
  /// The invalid key, value or label; it might not be safe to print.
  public let subject: UdevRuleText
}

/// Splits a file into lines as udevd does: comments are skipped, and continued lines are joined.
package struct UdevRuleLineReader {
  /// A range of bytes that contains a line.
  ///
  /// The bytes are those of the file, unless the line was continued.
  package struct Line {
    package let bytes: [UInt8]
    package let range: Range<Int>
    /// The lines of the file that the line spans, counted from 1.
    package let numbers: ClosedRange<Int>

    /// The bytes of only this line.
    package var text: [UInt8] { Array(bytes[range]) }
  }

  package enum Item {
    case line(Line)
    case problem(UdevRuleProblem.Code, line: Int)
  }

  /// The length that every line must be shorter than; the C constant is `UDEV_LINE_SIZE`.
  package static let limit = 16384

  private let bytes: [UInt8]
  private var position = 0
  private var number = 0
  private var isBroken = false

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the next line that is not a comment; `nil` at the end of the file, or where udevd
  /// stops reading.
  package mutating func next() -> Item? {
    var joined: [UInt8]?
    var first = 0
    var isTooLong = false
    while !isBroken, position < bytes.count {
      guard let range = nextRange() else {
        isBroken = true
        return .problem(.lineTooLong, line: number)
      }
      if joined == nil { first = number }
      var start = range.lowerBound
      while start < range.upperBound, bytes[start].isBlank { start += 1 }
      if start < range.upperBound, bytes[start] == UInt8(ascii: "#") { continue }
      var end = range.upperBound
      let isContinued: Bool
      if joined != nil, !isTooLong {
        joined?.append(contentsOf: bytes[start..<end])
        isTooLong = (joined?.count ?? 0) >= Self.limit
      }
      if let whole = joined, !isTooLong {
        isContinued = whole.last == .backslash
        if isContinued { joined?.removeLast() }
      } else {
        isContinued = start < end && bytes[end - 1] == .backslash
        if isContinued, joined == nil {
          end -= 1
          joined = Array(bytes[start..<end])
        }
      }
      if isContinued { continue }
      if isTooLong { return .problem(.continuationTooLong, line: first) }
      if let whole = joined {
        joined = nil
        if !whole.isEmpty {
          return .line(Line(bytes: whole, range: whole.indices, numbers: first...number))
        }
      } else if start < end {
        return .line(Line(bytes: bytes, range: start..<end, numbers: first...number))
      }
    }
    return joined == nil ? nil : .problem(.unfinishedContinuation, line: first)
  }

  /// Returns the range of the next line without its line end; `nil` if the line is too long.
  private mutating func nextRange() -> Range<Int>? {
    number += 1
    let start = position
    var end = start
    while end < bytes.count, !bytes[end].isLineEnd { end += 1 }
    guard end - start < Self.limit else { return nil }
    // Consecutive line end characters of different kinds form one line end. A zero byte completes
    // it.
    var seen: UInt8 = 0
    position = end
    while position < bytes.count, seen & 1 == 0 {
      let kind = Self.lineEnd(bytes[position])
      if kind == 0 || seen & kind != 0 { break }
      seen |= kind
      position += 1
    }
    return start..<end
  }

  private static func lineEnd(_ byte: UInt8) -> UInt8 {
    byte == 0 ? 1 : byte == 10 ? 2 : byte == 13 ? 4 : 0
  }
}

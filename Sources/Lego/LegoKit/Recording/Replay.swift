internal import JSONText

/// A recorded run that can be stepped through in both directions.
///
/// A replay runs only the blueprint, not adaptors or effects. Routes that the blueprint applies to
/// a ``Router`` are ignored.
public struct Replay<B: Blueprint>: Sendable {
  /// The number of changes between two saved designs.
  private static var spacing: Int { 64 }

  /// The changes in the recorded run, in order.
  public let changes: [B.Change]
  /// The design after the first ``position`` changes.
  public private(set) var design: B.Design
  /// The number of changes that have been applied.
  public private(set) var position = 0
  private let blueprint: B
  /// The initial design and every 64th design reached so far, saved to make stepping back fast.
  private var kept: [B.Design]

  /// Creates a replay that starts before the first change.
  public init(_ design: B.Design, blueprint: B, changes: [B.Change]) {
    self.design = design
    self.blueprint = blueprint
    self.changes = changes
    kept = [design]
  }

  /// Applies the next change, if there is one.
  ///
  /// - Returns: The change, or `nil` at the end of the run.
  @discardableResult
  public mutating func step() -> B.Change? {
    guard position < changes.count else { return nil }
    let change = changes[position]
    Replaying.$isUnderWay.withValue(true) { blueprint.change(&design, on: change) }
    position += 1
    if position == kept.count * Self.spacing { kept.append(design) }
    return change
  }

  /// Reverts the last change, if there is one.
  ///
  /// - Returns: The change, or `nil` at the beginning of the run.
  @discardableResult
  public mutating func stepBack() -> B.Change? {
    guard position > 0 else { return nil }
    let change = changes[position - 1]
    go(to: position - 1)
    return change
  }

  /// Goes to the position after the given number of changes.
  ///
  /// If the position is outside the run, the replay goes to the nearest end.
  public mutating func go(to target: Int) {
    let target = min(max(0, target), changes.count)
    if target < position {
      let index = target / Self.spacing
      design = kept[index]
      position = index * Self.spacing
    }
    while position < target { step() }
  }

  /// Applies all remaining changes.
  ///
  /// - Returns: The design at the end of the run.
  @discardableResult
  public mutating func finish() -> B.Design {
    go(to: changes.count)
    return design
  }
}

extension Replay where B.Change: Decodable {
  /// Creates a replay that starts before the first change of a recording.
  ///
  /// - Parameters:
  ///   - design: The design at the beginning of the recording.
  ///   - blueprint: The blueprint that applies the changes.
  ///   - lines: The lines that ``Lego/record(to:)`` wrote. Blank lines are skipped.
  /// - Throws: ``RecordingError`` if a line is not a change. The error contains the number of the
  ///   line.
  public init(_ design: B.Design, blueprint: B, lines: some Sequence<some StringProtocol>)
    throws(RecordingError)
  {
    var changes: [B.Change] = []
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      do {
        changes.append(
          try JSONReader.decode(B.Change.self, from: Array(line.utf8), options: .recording))
      } catch let error as JSONSyntaxError {
        throw RecordingError(reason: error.description, line: index + 1)
      } catch {
        throw RecordingError(
          reason: "not a change of \(B.self): \(JSONProblem(error))", line: index + 1)
      }
    }
    self.init(design, blueprint: blueprint, changes: changes)
  }
}

/// Indicates whether the current task is replaying a run.
///
/// A replay must not have side effects.
enum Replaying {
  @TaskLocal static var isUnderWay = false
}

/// An error that occurs when a recording cannot be read.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason why the recording cannot be read.
  public let reason: String
  /// The number of the invalid line, starting at 1, or `nil` if it is unknown.
  public let line: Int?

  /// A message for the user.
  public var description: String {
    line.map { "line \($0) of the recording: \(reason)" } ?? "the recording: \(reason)"
  }
}

extension Lego where B.Change: Encodable {
  /// Writes every subsequent change as one line of JSON, until the token is cancelled or freed.
  ///
  /// To replay the lines, pass them to a ``Replay`` with the design at the time of this call.
  ///
  /// - Parameter sink: Receives one line at a time, without a line break. If a change cannot be
  ///   encoded, the line contains the error instead, and a replay rejects it.
  /// - Returns: A token that ends the recording when it is cancelled or freed.
  public func record(to sink: LogSink) -> AnyCancellable {
    token(
      for: Observer(change: { record in
        if let change = record.change { sink.write(Self.line(change)) }
      }))
  }

  private static func line(_ change: B.Change) -> String {
    do {
      return try JSONWriter.encode(change, options: .recording)
    } catch {
      return "not encoded: \(JSONQuotes.quoted("\(error)"))"
    }
  }
}

extension JSONOptions {
  /// The options for encoding and decoding the lines of a recording.
  ///
  /// Each enum value takes two levels of JSON, so changes nest more deeply than documents that are
  /// written by hand. Numbers may also be infinite or NaN.
  static let recording = JSONOptions(depth: 512, allowsNonFiniteNumbers: true)
}

internal import JSONText

/// A recorded run that can be stepped through in both directions.
///
/// Only the blueprint applies the changes: adaptors and effects do not run. A blueprint that uses a
/// ``Router`` does not change the router.
public struct Replay<B: Blueprint>: Sendable {
  /// The number of changes between two designs that are kept for going back.
  private static var spacing: Int { 64 }

  /// The changes of the run.
  public let changes: [B.Change]
  /// The design after the changes up to ``position``.
  public private(set) var design: B.Design
  /// The number of changes that are applied.
  public private(set) var position = 0
  private let blueprint: B
  /// Every 64th design, starting with the first.
  private var kept: [B.Design]

  /// Starts before the first change.
  public init(_ design: B.Design, blueprint: B, changes: [B.Change]) {
    self.design = design
    self.blueprint = blueprint
    self.changes = changes
    kept = [design]
  }

  /// Applies the next change, if there is one.
  ///
  /// - Returns: The change.
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
  /// - Returns: The change.
  @discardableResult
  public mutating func stepBack() -> B.Change? {
    guard position > 0 else { return nil }
    let change = changes[position - 1]
    go(to: position - 1)
    return change
  }

  /// Goes to a position.
  ///
  /// A position outside the run is moved to the nearest end.
  public mutating func go(to target: Int) {
    let target = min(max(0, target), changes.count)
    if target < position {
      let index = target / Self.spacing
      design = kept[index]
      position = index * Self.spacing
    }
    while position < target { step() }
  }

  /// Goes to the end.
  ///
  /// - Returns: The last design.
  @discardableResult
  public mutating func finish() -> B.Design {
    go(to: changes.count)
    return design
  }
}

extension Replay where B.Change: Decodable {
  /// Starts before the first change of a recording.
  ///
  /// - Parameters:
  ///   - design: The first design of the run.
  ///   - blueprint: The rules for turning one design into the next.
  ///   - lines: The lines that ``Lego/record(to:)`` wrote. Empty lines are skipped.
  /// - Throws: ``RecordingError``, which names the line.
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

/// A flag of tasks that apply a recorded run, which must not have side effects.
enum Replaying {
  @TaskLocal static var isUnderWay = false
}

/// The reason why a recording cannot be read.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason.
  public let reason: String
  /// The number of the line, starting at 1, if it is known.
  public let line: Int?

  /// A message for the user.
  public var description: String {
    line.map { "line \($0) of the recording: \(reason)" } ?? "the recording: \(reason)"
  }
}

extension Lego where B.Change: Encodable {
  /// Writes every change from now on as one line of JSON, until the token is cancelled or freed.
  ///
  /// Together with the current design, these lines are the input of a ``Replay``.
  ///
  /// - Parameter sink: Receives one line at a time, without a line break. A change that cannot be
  ///   encoded is replaced by a line with the reason, which a replay rejects.
  /// - Returns: The token.
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
  /// The options for the lines of a recording.
  ///
  /// An enumeration takes two levels of JSON, so a change nests deeper than a document written by
  /// hand.
  /// A design may also contain infinities.
  static let recording = JSONOptions(depth: 512, allowsNonFiniteNumbers: true)
}

internal import JSONText

/// A recorded run, gone through step by step in either direction.
///
/// Only the blueprint applies the changes: no adaptor is asked and no effect is run. A blueprint that
/// uses a ``Router`` leaves the router where it is.
public struct Replay<B: Blueprint>: Sendable {
  /// How far apart the designs are that are kept for going back.
  private static var spacing: Int { 64 }

  /// The changes of the run.
  public let changes: [B.Change]
  /// The design after the changes up to ``position``.
  public private(set) var design: B.Design
  /// How many of the changes are applied.
  public private(set) var position = 0
  private let blueprint: B
  /// Every so manieth design, from the first on.
  private var kept: [B.Design]

  /// Starts before the first change.
  ///
  /// - Parameters:
  ///   - design: The design that the run started from.
  ///   - blueprint: What changes do to it.
  ///   - changes: The changes of the run.
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

  /// Takes back the last change, if there is one.
  ///
  /// - Returns: The change.
  @discardableResult
  public mutating func stepBack() -> B.Change? {
    guard position > 0 else { return nil }
    let change = changes[position - 1]
    go(to: position - 1)
    return change
  }

  /// Goes to where so many changes are applied; one too far goes to the nearest end.
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
  ///   - design: The design that the run started from.
  ///   - blueprint: What changes do to it.
  ///   - lines: The lines that ``Lego/record(to:)`` wrote; empty ones are passed over.
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

/// Whether this task goes through a recorded run, which must not reach anything outside it.
enum Replaying {
  @TaskLocal static var isUnderWay = false
}

/// Why a recording cannot be read.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let reason: String
  /// The line it is wrong in, counted from one, where that is known.
  public let line: Int?

  /// The error as one line.
  public var description: String {
    line.map { "line \($0) of the recording: \(reason)" } ?? "the recording: \(reason)"
  }
}

extension Lego where B.Change: Encodable {
  /// Writes every change from now on as one line of JSON, until the token is cancelled or freed.
  ///
  /// Together with the design that the store has now, the lines are all that ``Replay`` needs.
  ///
  /// - Parameter sink: Gets one line at a time, without its end. A change that cannot be encoded
  ///   gets a line that says so, which a replay refuses.
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
  /// The lines of a recording: changes of any shape that their own program wrote.
  ///
  /// A change nests deeper than a document that people write, since an enumeration takes two
  /// levels of JSON for each of its own. Nobody writes infinities by hand, but a design has them.
  static let recording = JSONOptions(depth: 512, allowsNonFiniteNumbers: true)
}

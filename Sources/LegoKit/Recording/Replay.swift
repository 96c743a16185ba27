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

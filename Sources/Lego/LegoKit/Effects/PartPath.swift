/// The path from the whole design to one of its parts, such as `\.rooms`, ID 1, then `\.lamps`, ID
/// 7.
///
/// An effect of a part carries the path of the part. After each change, the store ends the effects
/// whose part no longer exists. The empty path leads to the whole design.
@usableFromInline struct PartPath: Hashable, Sendable {
  /// One step of a path: from a whole to a part of it.
  @usableFromInline struct Step: Hashable, Sendable {
    /// The key path of the part, or of the collection that contains it.
    let place: any AnyKeyPath & Sendable
    /// The ID of the part, or `nil` if there is at most one part at the place.
    let id: AnySendableHashable?
    /// Distinguishes the payloads of several enum cases at one place.
    let kind: PartKind?
    /// A Boolean value that indicates whether the part can go while the whole stays.
    let canGo: Bool
    /// Returns the part of a whole, or `nil` if it does not exist.
    let find: @Sendable (any Sendable) -> (any Sendable)?

    @usableFromInline static func == (left: Step, right: Step) -> Bool {
      left.place as AnyKeyPath == right.place as AnyKeyPath && left.id == right.id
        && left.kind == right.kind
    }

    @usableFromInline func hash(into hasher: inout Hasher) {
      hasher.combine(place as AnyKeyPath)
      hasher.combine(id)
      hasher.combine(kind)
    }
  }

  private(set) var steps: [Step] = []

  init() {}

  /// A Boolean value that indicates whether the part can go.
  var canGo: Bool { steps.contains { $0.canGo } }

  func appending(_ step: Step) -> PartPath {
    var path = self
    path.steps.append(step)
    return path
  }

  /// Returns `true` if a design contains the part.
  func exists(in design: any Sendable) -> Bool {
    var part: any Sendable = design
    for step in steps {
      guard let next = step.find(part) else { return false }
      part = next
    }
    return true
  }

  /// Returns `true` if the last step leads to a place.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - id: The ID of the part at the place, or `nil` for any.
  ///   - path: The path to the whole that contains the place.
  /// - Returns: `true` if it does.
  func leads(
    to place: any AnyKeyPath & Sendable, id: AnySendableHashable?, within path: PartPath
  ) -> Bool {
    guard let last = steps.last, last.place as AnyKeyPath == place as AnyKeyPath else {
      return false
    }
    return (id == nil || id == last.id) && steps.dropLast().elementsEqual(path.steps)
  }
}

/// Identifies one of several kinds of parts at a place, such as the payloads of enum cases.
final class PartKind: Hashable, Sendable {
  static func == (left: PartKind, right: PartKind) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The path from the whole design to one of its parts.
///
/// For example, a path may lead to the element of `\.rooms` whose ID is 1, and from there to the
/// element of `\.lamps` whose ID is 7. The empty path leads to the whole design.
///
/// An effect of a part has the part's path in its context. After each change, the store cancels the
/// effects of parts that no longer exist.
@usableFromInline struct PartPath: Hashable, Sendable {
  /// A step from a whole to one of its parts.
  @usableFromInline struct Step: Hashable, Sendable {
    /// The key path of the part, or of the collection that contains it.
    let place: any AnyKeyPath & Sendable
    /// The ID of the part, or its key in a dictionary.
    ///
    /// It is `nil` if the part always exists, or if it is optional and has no ID.
    let id: AnySendableHashable?
    /// Distinguishes the payloads of several enum cases at the same place.
    let kind: PartKind?
    /// A Boolean value that indicates whether the part can be removed while the whole remains.
    let canGo: Bool
    /// Returns the part of the given whole, or `nil` if it does not exist.
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

  /// A Boolean value that indicates whether the part can be removed.
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

  /// Checks whether the last step leads from the given whole to a part at the given place.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - id: The ID that the part must have, or `nil` for any part at the place.
  ///   - path: The path to the whole that contains the place.
  /// - Returns: `true` if the last step leads to such a part.
  func leads(
    to place: any AnyKeyPath & Sendable, id: AnySendableHashable?, within path: PartPath
  ) -> Bool {
    guard let last = steps.last, last.place as AnyKeyPath == place as AnyKeyPath else {
      return false
    }
    return (id == nil || id == last.id) && steps.dropLast().elementsEqual(path.steps)
  }
}

/// Identifies one of several kinds of parts at the same place, such as the payloads of an enum's
/// cases.
final class PartKind: Hashable, Sendable {
  static func == (left: PartKind, right: PartKind) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

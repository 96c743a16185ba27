/// What became what between two values of one type.
public struct Difference: Sendable, Hashable, CustomStringConvertible {
  /// One part that differs.
  public struct Entry: Sendable, Hashable, CustomStringConvertible {
    /// The way to the part, such as `house.rooms[2].name`; empty for the whole value.
    public let path: String
    /// The part before, or `nil` when it was not there.
    public let old: String?
    /// The part after, or `nil` when it is gone.
    public let new: String?

    /// The entry as one line.
    public var description: String {
      "\(path.isEmpty ? "value" : path): \(old ?? "(none)") → \(new ?? "(none)")"
    }
  }

  /// The parts that differ, in the order of the type's declaration.
  public private(set) var entries: [Entry] = []

  /// Compares two values part by part.
  public init<Value>(from old: Value, to new: Value) {
    compare(old, new, at: "")
  }

  /// Whether nothing differs.
  public var isEmpty: Bool { entries.isEmpty }

  /// One line for each part that differs.
  public var description: String {
    entries.map(\.description).joined(separator: "\n")
  }

  private mutating func compare(_ old: Any, _ new: Any, at path: String) {
    let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
    let isSameKind = before.displayStyle == after.displayStyle && type(of: old) == type(of: new)
    switch before.displayStyle {
    case .struct where isSameKind && !before.children.isEmpty, .tuple where isSameKind:
      for (left, right) in zip(before.children, after.children) {
        let label = left.label ?? "?"
        compare(left.value, right.value, at: path.isEmpty ? label : "\(path).\(label)")
      }
    case .collection where isSameKind:
      compareElements(Array(before.children), Array(after.children), at: path)
    case .optional where isSameKind:
      if let left = before.children.first, let right = after.children.first {
        compare(left.value, right.value, at: path)
      } else {
        note(old, new, at: path)
      }
    default:
      note(old, new, at: path)
    }
  }

  private mutating func compareElements(
    _ old: [Mirror.Child], _ new: [Mirror.Child], at path: String
  ) {
    for index in 0..<max(old.count, new.count) {
      let place = "\(path)[\(index)]"
      if index >= old.count {
        entries.append(Entry(path: place, old: nil, new: Description.of(new[index].value)))
      } else if index >= new.count {
        entries.append(Entry(path: place, old: Description.of(old[index].value), new: nil))
      } else {
        compare(old[index].value, new[index].value, at: place)
      }
    }
  }

  private mutating func note(_ old: Any, _ new: Any, at path: String) {
    let (before, after) = (Description.of(old), Description.of(new))
    if before != after { entries.append(Entry(path: path, old: before, new: after)) }
  }
}

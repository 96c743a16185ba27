/// Describes values in a compact form for logs.
package enum Description {
  /// Returns a short description of a value.
  ///
  /// Enum cases start with a dot and include their payload. Strings are quoted. Structs and classes
  /// are named without their module.
  package static func of(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .enum:
      guard let child = mirror.children.first, let name = child.label else {
        return ".\(value)"
      }
      return ".\(name)\(payload(child.value))"
    case .optional:
      return mirror.children.first.map { of($0.value) } ?? "nil"
    case .struct, .class:
      if mirror.children.isEmpty { return "\(value)" }
      return "\(type(of: value))(\(fields(mirror)))"
    case .tuple:
      return "(\(fields(mirror)))"
    case .collection:
      return "[\(mirror.children.map { of($0.value) }.joined(separator: ", "))]"
    case .set:
      return "[\(mirror.children.map { of($0.value) }.sorted().joined(separator: ", "))]"
    case .dictionary:
      let pairs = mirror.children.map { pair(Mirror(reflecting: $0.value)) }
      return pairs.isEmpty ? "[:]" : "[\(pairs.sorted().joined(separator: ", "))]"
    default:
      return String(reflecting: value)
    }
  }

  private static func pair(_ mirror: Mirror) -> String {
    mirror.children.map { of($0.value) }.joined(separator: ": ")
  }

  private static func payload(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .tuple ? "(\(fields(mirror)))" : "(\(of(value)))"
  }

  private static func fields(_ mirror: Mirror) -> String {
    mirror.children.map { child in
      guard let label = child.label, !label.hasPrefix(".") else { return of(child.value) }
      return "\(label): \(of(child.value))"
    }
    .joined(separator: ", ")
  }
}

/// The difference between two values of the same type.
public struct Difference: Sendable, Hashable, CustomStringConvertible {
  /// A part that differs between two values.
  public struct Entry: Sendable, Hashable, CustomStringConvertible {
    /// The path to the part, such as `house.rooms[2].name`, or an empty string for the whole value.
    public let path: String
    /// The old part, or `nil` if the part was added.
    public let old: String?
    /// The new part, or `nil` if the part was removed.
    public let new: String?

    /// The path to the part, followed by the old and the new part.
    public var description: String {
      "\(path.isEmpty ? "value" : path): \(old ?? "(none)") → \(new ?? "(none)")"
    }
  }

  /// The parts that differ.
  ///
  /// Properties are in declaration order, and the values of a dictionary are sorted by key.
  public private(set) var entries: [Entry] = []

  /// Compares two values part by part.
  public init<Value>(from old: Value, to new: Value) {
    compare(old, new, at: "")
  }

  /// A Boolean value that indicates whether there are no differences.
  public var isEmpty: Bool { entries.isEmpty }

  /// The descriptions of the entries, one per line.
  public var description: String {
    entries.map(\.description).joined(separator: "\n")
  }

  private mutating func compare(_ old: Any, _ new: Any, at path: String) {
    let areEqual = Self.areEqual(old, new)
    if areEqual == true { return }
    let count = entries.count
    compareParts(Mirror(reflecting: old), Mirror(reflecting: new), old, new, at: path)
    // If the values differ but all their parts look equal, report the whole value.
    if entries.count == count, areEqual == false { add(old, new, at: path) }
  }

  private mutating func compareParts(
    _ before: Mirror, _ after: Mirror, _ old: Any, _ new: Any, at path: String
  ) {
    let isSameKind = before.displayStyle == after.displayStyle && type(of: old) == type(of: new)
    switch before.displayStyle {
    case .struct where isSameKind && !before.children.isEmpty, .tuple where isSameKind:
      for (left, right) in zip(before.children, after.children) {
        let label = left.label ?? "?"
        compare(left.value, right.value, at: path.isEmpty ? label : "\(path).\(label)")
      }
    case .collection where isSameKind:
      compareElements(Array(before.children), Array(after.children), at: path)
    case .dictionary where isSameKind:
      compareValues(pairs(before), pairs(after), at: path)
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
        add(nil, new[index].value, at: place)
      } else if index >= new.count {
        add(old[index].value, nil, at: place)
      } else {
        compare(old[index].value, new[index].value, at: place)
      }
    }
  }

  /// Compares dictionaries in the order of their keys' descriptions.
  private mutating func compareValues(
    _ old: [AnyHashable: Any], _ new: [AnyHashable: Any], at path: String
  ) {
    let keys = Set(old.keys).union(new.keys).map { (key: $0, text: Description.of($0.base)) }
    for (key, text) in keys.sorted(by: { $0.text < $1.text }) {
      let place = "\(path)[\(text)]"
      if let left = old[key], let right = new[key] {
        compare(left, right, at: place)
      } else {
        add(old[key], new[key], at: place)
      }
    }
  }

  private func pairs(_ dictionary: Mirror) -> [AnyHashable: Any] {
    var pairs: [AnyHashable: Any] = [:]
    for child in dictionary.children {
      let pair = Mirror(reflecting: child.value).children.map(\.value)
      if pair.count == 2, let key = pair[0] as? AnyHashable { pairs[key] = pair[1] }
    }
    return pairs
  }

  private mutating func note(_ old: Any, _ new: Any, at path: String) {
    if Description.of(old) != Description.of(new) { add(old, new, at: path) }
  }

  private mutating func add(_ old: Any?, _ new: Any?, at path: String) {
    entries.append(
      Entry(path: path, old: old.map(Description.of), new: new.map(Description.of)))
  }

  /// Returns whether two values are equal, or `nil` if they are not `Equatable`.
  private static func areEqual(_ old: Any, _ new: Any) -> Bool? {
    func compare<Value: Equatable>(_ old: Value) -> Bool { new as? Value == old }
    return (old as? any Equatable).map { compare($0) }
  }
}

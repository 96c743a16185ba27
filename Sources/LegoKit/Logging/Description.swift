/// A value as text, short enough for a log.
package enum Description {
  /// The text: cases with a leading dot and their payload, strings in quotes, no module names.
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

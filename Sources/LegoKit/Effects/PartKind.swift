/// One of the kinds of parts that can stand at a place, such as the payload of one case.
final class PartKind: Hashable, Sendable {
  static func == (left: PartKind, right: PartKind) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

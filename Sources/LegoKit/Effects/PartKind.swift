/// One of the kinds of parts that can stand at a place, such as the payload of one case.
@usableFromInline final class PartKind: Hashable, Sendable {
  @usableFromInline init() {}

  @usableFromInline static func == (left: PartKind, right: PartKind) -> Bool { left === right }
  @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

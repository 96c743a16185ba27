/// One step of the way from a whole to one of its parts: the place, and the id of the part there.
@usableFromInline struct PartStep: Hashable, Sendable {
  /// The part of the design where the part stands, or a collection of such parts.
  let place: any AnyKeyPath & Sendable
  /// What tells the parts of one place apart; `nil` where there is never more than one.
  let id: AnySendableHashable?
  /// Which of the kinds of parts that can stand at the place it is; `nil` where there is one kind.
  let kind: PartKind?

  @usableFromInline static func == (left: PartStep, right: PartStep) -> Bool {
    left.place as AnyKeyPath == right.place as AnyKeyPath && left.id == right.id
      && left.kind == right.kind
  }

  @usableFromInline func hash(into hasher: inout Hasher) {
    hasher.combine(place as AnyKeyPath)
    hasher.combine(id)
    hasher.combine(kind)
  }
}

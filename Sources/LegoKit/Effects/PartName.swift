/// What the effects of parts are cancelled by: a place, and the id of one part there.
@usableFromInline struct PartName: Sendable {
  let place: any AnyKeyPath & Sendable
  /// The id of the part; `nil` for all parts at the place.
  let id: AnySendableHashable?

  func matches(_ step: PartStep) -> Bool {
    step.place as AnyKeyPath == place as AnyKeyPath && (id == nil || id == step.id)
  }
}

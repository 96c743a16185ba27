/// The way from the whole to one of its parts: the steps, from the outermost inwards.
///
/// It is an object, so that the many effects of no part carry nothing.
@usableFromInline final class PartWay: Hashable, Sendable {
  let steps: [PartStep]

  init(_ steps: [PartStep]) {
    self.steps = steps
  }

  @usableFromInline static func == (left: PartWay, right: PartWay) -> Bool {
    left === right || left.steps == right.steps
  }

  @usableFromInline func hash(into hasher: inout Hasher) {
    hasher.combine(steps)
  }
}

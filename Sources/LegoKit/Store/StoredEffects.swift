/// Effects that are still to start, and the store to start them in.
@usableFromInline final class StoredEffects<B: Blueprint>: EffectStart {
  private weak let lego: Lego<B>?
  private let effects: ArraySlice<Effect<B.Change>>

  @usableFromInline init(_ effects: ArraySlice<Effect<B.Change>>, in lego: Lego<B>) {
    self.effects = effects
    self.lego = lego
  }

  @usableFromInline func start(in context: EffectContext) -> Bool {
    guard let lego, let first = effects.first else { return false }
    Injection.within(context.overrides) {
      if effects.count == 1 {
        lego.start(first, in: context)
      } else {
        lego.startFirst(of: effects, in: context)
      }
    }
    return true
  }
}

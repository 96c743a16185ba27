import Testing

@testable import LegoKit

@Suite struct `An effect's id` {
  @Test func `is a value with its type`() {
    #expect(EffectID(1) == EffectID(1))
    #expect(EffectID("a") == EffectID("a"))
    #expect(EffectID(1) != EffectID(2))
    #expect(EffectID(1) != EffectID(Int32(1)))
    #expect(EffectID(1) != EffectID(UInt8(1)))
    #expect(EffectID(1) != EffectID(1.0))
    #expect(EffectID(1) != EffectID(Int?(1)))
    #expect(EffectID(Int?(1)) != EffectID(1))
    #expect(EffectID(Int?(1)) == EffectID(Int?(1)))
    #expect(EffectID("a") != EffectID("a" as Substring))
  }

  // Which bucket a number falls into differs from process to process, so that one number may be
  // found by luck. A thousand of them are not.
  @Test func `of another type cancels nothing, whatever the process's hashes are`() {
    let silence = PassthroughSubject<Counter.Change, Never>()
    let effects = Effects { _, change in
      if case .add(let number) = change { .publisher(silence).id(number) } else { .none }
    }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [effects])
    for number in 0..<1_000 { lego.build(.add(number)) }
    for number in 0..<1_000 {
      lego.cancel(id: Int32(number))
      lego.cancel(id: UInt64(number))
    }
    #expect(lego.effectCount == 1_000)
    for number in 0..<1_000 { lego.cancel(id: number) }
    #expect(lego.effectCount == 0)
  }
}

import LegoKit
import LegoTesting
import Testing

@Suite struct `A feature under test` {
  @Test func `accounts for what its parts send, and ends with them`() async {
    let feature = House.feature(lamp: { lamp, change in
      switch change {
      case .light: .run { send in send(.shine(lamp.id)) }
      case .flicker: .run { _ in try? await Task.sleep(for: .seconds(3_600)) }
      default: .none
      }
    })
    let lego = TestLego(House.Design(sheet: .init(id: 5)), feature: feature)
    lego.build(.sheet(.light)) { $0.sheet?.requests = 1 }
    await lego.receive(.sheet(.shine(5))) { $0.sheet?.level = 5 }
    lego.build(.sheet(.flicker))
    #expect(lego.effectCount == 1)
    lego.build(.sheet(.off)) { $0.sheet = nil }
    #expect(lego.effectCount == 0)
    await lego.finish()
  }

  @Test func `tests a part alone as it is in the whole`() async {
    let lamp = Feature(
      Lamp(),
      adaptors: [
        Answering<Lamp> { lamp, change in change == .light ? .send(.shine(lamp.id)) : .none }
      ])
    let alone = TestLego(.init(id: 3), feature: lamp)
    alone.build(.light) { $0.requests = 1 }
    await alone.receive(.shine(3)) { $0.level = 3 }
    await alone.finish()
  }
}

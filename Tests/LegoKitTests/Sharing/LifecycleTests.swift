import LegoKit
import Testing

@Suite struct `Start and end of a store` {
  @Test func `are changes of it`() async {
    let lego = Lego(
      .init(), blueprint: Settings(),
      adaptors: [LifecycleAdaptor(started: .started, stopped: .stopped)])
    #expect(await lego.observe(\.log).first { !$0.isEmpty } == ["started"])
    lego.build(.theme("dark"))
    await lego.close()
    #expect(lego.design.log == ["started", "stopped"])
  }

  @Test func `are no changes where nobody asked`() async {
    let lego = Lego(.init(), blueprint: Settings(), adaptors: [LifecycleAdaptor()])
    lego.build(.theme("dark"))
    await lego.close()
    #expect(lego.design.log.isEmpty)
  }

  @Test func `are told to a part when it comes`() async {
    let lamp = Feature(Lamp(), adaptors: [LifecycleAdaptor(started: .light)])
    let lego = Lego(
      House.Design(),
      feature: Feature(House()).optional(\.sheet, .case(House.Change.sheet, \.sheet), lamp))
    #expect(lego.design.sheet == nil)
    for id in [4, 5] {
      lego.build(.set(House.Design(sheet: .init(id: id))))
      _ = await lego.observe(\.sheet).first { $0?.requests == 1 }
      #expect(lego.design.sheet?.id == id)
    }
  }
}

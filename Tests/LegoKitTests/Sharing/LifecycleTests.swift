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
      feature: Feature(House()).optional(\.sheet, .case(House.Change.sheet), lamp))
    #expect(lego.design.sheet == nil)
    for id in [4, 5] {
      lego.build(.set(House.Design(sheet: .init(id: id))))
      _ = await lego.observe(\.sheet).first { $0?.requests == 1 }
      #expect(lego.design.sheet?.id == id)
    }
  }
}

@Suite struct `One change within another` {
  private struct Booting: Blueprint {
    enum Change: Equatable, Sendable {
      case note(String)
      case boot(name: String)
    }

    func change(_ log: inout [String], on change: Change) {
      switch change {
      case .note(let text): log.append(text)
      case .boot(let name):
        self.change(&log, on: .note("before \(name)"))
        log.append("boot")
        self.change(&log, on: .note("after \(name)"))
      }
    }
  }

  @Test func `is applied in the same step, before and after it`() {
    let designs = Collected<[String]>()
    let lego = Lego([], blueprint: Booting())
    let token = lego.onDesignChange { designs.append($0) }
    lego.build(.boot(name: "it"))
    #expect(designs.values == [["before it", "boot", "after it"]])
    withExtendedLifetime(token) {}
  }
}

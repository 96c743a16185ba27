import LegoKeeping
import LegoKit
import LinuxTestSupport
import Testing

/// The service of Granite's manual that keeps its state, in LegoKit's words.
private struct ConfigService: Blueprint {
  struct State: Codable, Equatable, Sendable {
    var isDark = false
  }

  typealias Design = State

  enum Change: Equatable, Sendable {
    case dark(Bool)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .dark(let isDark): design.isDark = isDark
    }
  }
}

@Suite struct `Granite's names of keeping` {
  let folder = Folder()

  /// A store of the service, which finds what another one has kept.
  private func service(_ saving: Saving = .automatic) -> Lego<ConfigService> {
    Lego(
      .init(), blueprint: ConfigService(),
      adaptors: [Keeping("save.0001", in: folder.place, saving: saving)])
  }

  private func save() async {
    let center = service()
    center.build(.dark(true))
    await center.close()
  }

  // Row of FromGranite: `@Store(persist:)`, `Codable`
  @Test func `a state that is kept has a name, and is restored`() async {
    func isCodable(_: some Codable) -> Bool { true }
    #expect(isCodable(ConfigService.State()))
    let keeping = Keeping<ConfigService>("save.0001", in: folder.place)
    let center = Lego(.init(), blueprint: ConfigService(), adaptors: [keeping])
    center.build(.dark(true))
    await center.close()
    #expect(folder.text("save.0001.json")?.contains("true") == true)
    #expect(service().design.isDark)
  }

  // Row of FromGranite: `autoSave:`
  @Test func `a state is saved by itself, or when asked`() async throws {
    let usual = Keeping<ConfigService>("usual", in: folder.place)
    let automatic = Keeping<ConfigService>("save.0001", in: folder.place, saving: Saving.automatic)
    let centers = [
      Lego(.init(), blueprint: ConfigService(), adaptors: [usual]),
      Lego(.init(), blueprint: ConfigService(), adaptors: [automatic]),
    ]
    for center in centers { center.build(.dark(true)) }
    for file in ["usual.json", "save.0001.json"] {
      #expect(await eventually { folder.text(file)?.contains("true") ?? false })
    }
    for center in centers { await center.close() }
    let keeper = Keeper<ConfigService.State>("save.0001", in: folder.place, saving: .whenAsked)
    let center = Lego(.init(), blueprint: ConfigService(), adaptors: [Keeping(keeper)])
    center.build(.dark(false))
    #expect(folder.text("save.0001.json")?.contains("true") == true)
    try await keeper.save()
    #expect(folder.text("save.0001.json")?.contains("false") == true)
    await center.close()
  }

  // Row of FromGranite: `preload:`
  @Test func `a state is restored while its store is made`() async {
    await save()
    let seen = service().design
    #expect(seen.isDark)
    let first = Lego(
      .init(), blueprint: ConfigService(), adaptors: [Keeping("save.0001", in: folder.place)])
    for await design in first.designs {
      #expect(design.isDark)
      break
    }
  }

  // Row of FromGranite: `preload()` of a service
  @Test func `nothing has to be called before the design is there`() async {
    await save()
    let center: Lego<ConfigService> = service(.whenAsked)
    #expect(center.design.isDark)
  }

  // Row of FromGranite: the documents directory
  @Test func `the documents directory is the state directory`() {
    #expect(StateDirectory.standard.path(in: .current)?.hasPrefix("/") == true)
  }
}

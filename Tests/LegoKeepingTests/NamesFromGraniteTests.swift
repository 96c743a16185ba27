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

  @Test func `persist, autoSave and preload are one adaptor`() async {
    func service() -> Lego<ConfigService> {
      Lego(
        .init(), blueprint: ConfigService(),
        adaptors: [Keeping("save.0001", in: folder.place, saving: .automatic)])
    }
    do {
      let center = service()
      center.build(.dark(true))
    }
    #expect(await eventually { folder.text("save.0001.json")?.contains("true") ?? false })
    // Preloaded: nothing has to be waited for.
    #expect(service().design.isDark)
  }

  @Test func `without autoSave it is saved when asked`() async throws {
    let keeper = Keeper<ConfigService.State>("save.0001", in: folder.place, saving: .whenAsked)
    let center = Lego(.init(), blueprint: ConfigService(), adaptors: [Keeping(keeper)])
    center.build(.dark(true))
    try await keeper.save()
    #expect(folder.text("save.0001.json")?.contains("true") == true)
    await center.close()
  }

  @Test func `the documents directory is the state directory`() {
    #expect(StateDirectory.standard.path(in: .current)?.hasPrefix("/") == true)
  }
}

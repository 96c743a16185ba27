import Dispatch
import LegoKit
import LegoSamples
import LinuxTestSupport
import Testing

@testable import LegoKeeping

@Suite struct `The end of a store` {
  @Test(arguments: [("notes", "too large for its file"), ("../notes", "lost")])
  func `lets go of a design that can never be saved`(name: String, text: String) async throws {
    let reports = Reports()
    let folder = Folder()
    weak var core: KeeperCore<Notes.Design>?
    await reports.during {
      let keeper = folder.keeper(name, saving: .automatic, limit: 60)
      core = keeper.core
      let lego = folder.store(keeper)
      lego.build(.text(text))
      await lego.close()
      await #expect(throws: KeepingError.self) { try await keeper.save() }
    }
    #expect(await eventually { core == nil })
    #expect(reports.lines.last?.hasSuffix("tried again") == false)
    #expect(folder.files == [])
  }
}

@Suite struct `The end of the program` {
  @Test func `waits for a store that is just going away`() async throws {
    let folder = Folder()
    let keeper = folder.keeper(saving: .automatic)
    let core = keeper.core
    var value = Notes.Design()
    #expect(core.begin(&value))
    // The last reference to the store has gone, and its end was not told yet.
    core.connect(StoreConnection(value: { nil }, arrive: nil, onNextChange: { _ in }))
    let done = DispatchSemaphore(value: 0)
    core.saveBeforeExit { done.signal() }
    #expect(done.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
    value.text = "last"
    _ = core.end(value)
    #expect(done.wait(timeout: .now() + .seconds(60)) == .success)
    #expect(folder.notes().text == "last")
  }
}

import Dispatch
import LegoKit
import Testing

@testable import LegoKeeping

@Suite struct `The end of the program` {
  @Test func `waits for a store that is just going away`() async throws {
    let folder = Folder()
    let keeper = folder.keeper(saving: .automatic)
    let core = keeper.core
    var value = Notes.Design()
    #expect(core.begin(&value))
    // The last reference to the store has gone, and its end was not told yet.
    core.connect(KeeperLink(value: { nil }, arrive: nil, onNextChange: { _ in }))
    let done = DispatchSemaphore(value: 0)
    core.finishSoon { done.signal() }
    #expect(done.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
    value.text = "last"
    _ = core.end(value)
    #expect(done.wait(timeout: .now() + .seconds(60)) == .success)
    #expect(folder.notes().text == "last")
  }
}

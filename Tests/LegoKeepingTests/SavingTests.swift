import Foundation
import LegoKeeping
import LegoKit
import LegoSamples
import LegoTesting
import LinuxTestSupport
import Synchronization
import Testing

@Suite struct `Saving a design` {
  let folder = Folder()

  private func store(_ saving: Saving, _ clock: TestClock) -> Lego<Notes> {
    withContractors {
      $0.clock = clock
    } operation: {
      folder.store(folder.keeper(saving: saving))
    }
  }

  @Test func `waits until nothing has changed for a while`() async throws {
    let clock = TestClock()
    let lego = store(.after(.seconds(1), atMost: .seconds(10)), clock)
    for count in 1...3 {
      lego.build(.count(0))
      await clock.waitForSleepers()
      lego.build(.count(count))
      #expect(folder.files == [])
      await clock.advance(by: .seconds(1))
      await clock.waitForSleepers()
    }
    // Each second saw a change but the last.
    #expect(folder.files == [])
    await clock.advance(by: .seconds(1))
    #expect(await eventually { folder.files == ["notes.json"] })
    #expect(folder.notes().count == 3)
    #expect(clock.sleeperCount == 0)
    await lego.close()
  }

  @Test func `does not wait forever`() async throws {
    let clock = TestClock()
    let lego = store(.after(.seconds(1), atMost: .seconds(3)), clock)
    for count in 1...3 {
      lego.build(.count(count))
      await clock.waitForSleepers()
      #expect(folder.files == [])
      lego.build(.count(count * 10))
      await clock.advance(by: .seconds(1))
    }
    #expect(await eventually { folder.files == ["notes.json"] })
    #expect(folder.notes().count == 30)
    await lego.close()
  }

  @Test func `happens only when asked, where that is the rule`() async throws {
    let keeper = folder.keeper()
    let lego = folder.store(keeper)
    lego.build(.text("not yet"))
    for _ in 0..<20 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(folder.files == [])
    try await keeper.save()
    #expect(folder.notes().text == "not yet")
    lego.build(.text("at the end"))
    await lego.close()
    #expect(folder.notes().text == "at the end")
  }

  @Test(.timeLimit(.minutes(3)))
  func `is of the last design although the store ends while it is saved`() async throws {
    for round in 1...500 {
      let keeper = folder.keeper()
      let lego = folder.store(keeper)
      let saver = Task.detached {
        // What a store that is just ending has is saved at its end.
        while !Task.isCancelled { try? await keeper.save() }
      }
      for count in 1...5 {
        usleep(UInt32.random(in: 0..<300))
        lego.build(.count(round * 10 + count))
      }
      await lego.close()
      #expect(folder.notes().count == round * 10 + 5)
      saver.cancel()
      await saver.value
      #expect(folder.notes().count == round * 10 + 5)
    }
  }

  @Test func `covers all that was built before it was asked for`() async throws {
    let keeper = folder.keeper(saving: .automatic)
    let lego = folder.store(keeper)
    for count in 1...50 {
      lego.build(.count(count))
      try await keeper.save()
      #expect(folder.notes().count == count)
    }
    await lego.close()
  }

  @Test func `writes nothing when nothing has changed`() async throws {
    let keeper = folder.keeper()
    let lego = folder.store(keeper)
    await lego.close()
    #expect(folder.files == [])

    try folder.write("notes.json", #"{"value":{"text":"","count":0,"ratio":0},"version":1}"#)
    let before = folder.text("notes.json")
    let second = folder.keeper()
    let other = folder.store(second)
    try await second.save()
    other.build(.count(1))
    other.build(.count(0))
    await other.close()
    #expect(folder.text("notes.json") == before)
  }

  @Test func `brings back a file that was removed, when asked`() async throws {
    let keeper = folder.keeper()
    let lego = folder.store(keeper)
    try await keeper.save()
    #expect(folder.files == ["notes.json"])
    try FileManager.default.removeItem(atPath: folder.path)
    try await keeper.save()
    #expect(folder.files == ["notes.json"])
    await lego.close()
  }

  @Test func `finishes what a store has left that went away`() async throws {
    for round in 1...50 {
      do {
        let lego = folder.store(folder.keeper(saving: .automatic))
        lego.build(.count(round))
      }
      #expect(
        await eventually { folder.text("notes.json")?.contains("\"count\":\(round)") ?? false })
    }
  }

  @Test func `waits for nothing in a store that has ended`() async throws {
    let clock = TestClock()
    do {
      let lego = store(.after(.seconds(1), atMost: .seconds(10)), clock)
      lego.build(.text("left"))
      await clock.waitForSleepers()
    }
    #expect(await eventually { folder.text("notes.json")?.contains("left") ?? false })
    #expect(await eventually { clock.sleeperCount == 0 })
  }

  @Test func `cannot be asked for before there is a store`() async throws {
    let keeper = folder.keeper()
    let error = await #expect(throws: KeepingError.self) { try await keeper.save() }
    #expect(error?.code == .notOpen)
  }

  @Test(arguments: [
    "", ".", "..", ".hidden", "a/b", "../up", "nul\u{0}", String(repeating: "n", count: 101),
  ])
  func `refuses a name that is not one of a file`(name: String) async throws {
    let reports = Reports()
    let keeper = folder.keeper(name)
    await reports.during {
      let lego = folder.store(keeper)
      lego.build(.text("lost"))
      let error = await #expect(throws: KeepingError.self) { try await keeper.save() }
      #expect(error?.code == .badName)
      await lego.close()
    }
    #expect(reports.lines.count == 1)
    #expect(reports.lines.allSatisfy { !$0.contains("\0") })
    #expect(folder.files == [] && folder.hidden == [])
  }

  @Test func `refuses what it could not read again`() async throws {
    let reports = Reports()
    try await reports.during {
      let keeper = folder.keeper(limit: 1_000)
      let lego = folder.store(keeper)
      lego.build(.text("fits"))
      try await keeper.save()
      lego.build(.text(String(repeating: "x", count: 1_000)))
      let error = await #expect(throws: KeepingError.self) { try await keeper.save() }
      #expect(error?.code == .tooLarge)
      #expect(folder.notes().text == "fits")
      lego.build(.text("fits again"))
      await lego.close()
      #expect(folder.notes().text == "fits again")
    }
    #expect(reports.lines == [])
  }

  @Test func `keeps up with two threads that build`() async throws {
    let keeper = folder.keeper(saving: .after(.zero, atMost: .zero))
    let lego = folder.store(keeper)
    await withTaskGroup { group in
      for thread in 0..<2 {
        group.addTask {
          for round in 0..<300 {
            lego.build(.count(thread * 1_000 + round))
            if round.isMultiple(of: 50) { try? await keeper.save() }
          }
        }
      }
    }
    let last = lego.design
    await lego.close()
    #expect(folder.notes() == last)
    #expect(folder.files == ["notes.json"])
    #expect(folder.hidden == [".notes.json.lock"])
  }
}

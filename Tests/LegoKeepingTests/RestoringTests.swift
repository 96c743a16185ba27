import LegoKeeping
import LegoKit
import LegoSamples
import LegoTesting
import LinuxTestSupport
import Synchronization
import Testing

@Suite struct `A kept design` {
  let folder = Folder()

  @Test func `is there again before anyone sees the store`() async throws {
    let first = Lego(
      .init(), blueprint: Notes(), adaptors: [Keeping("notes", in: folder.place)])
    first.build(.text("kept"))
    await first.close()

    final class Witness: Adaptor<Notes> {
      let seen: @Sendable (String) -> Void
      init(_ seen: @escaping @Sendable (String) -> Void) { self.seen = seen }
      override var follows: [Follow<Notes>] {
        [
          Follow(\.text) { [seen] text in
            seen(text)
            return .none
          }
        ]
      }
    }
    let seen = Mutex<[String]>([])
    let second = Lego(
      .init(), blueprint: Notes(),
      adaptors: [
        Witness { text in seen.withLock { $0.append(text) } }, Keeping("notes", in: folder.place),
      ])
    #expect(second.design == .init(text: "kept"))
    let token = second.onDesignChange { design in seen.withLock { $0.append(design.text) } }
    second.build(.count(1))
    #expect(seen.withLock { $0 } == ["kept", "kept"])
    token.cancel()
    await second.close()
  }

  @Test func `may be a part of the design`() async throws {
    let keeping = { @Sendable [folder] in Keeping<Desk>("notes", \.notes, in: folder.place) }
    let first = Lego(
      .init(),
      feature: Feature(Desk(), adaptors: [keeping()]).part(
        \.notes, .case(Desk.Change.notes, \.notes), Feature(Notes())))
    first.build(.notes(.text("a part")))
    first.build(.hour)
    await first.close()
    let second = Lego(.init(), feature: Feature(Desk(), adaptors: [keeping()]))
    #expect(second.design == .init(notes: .init(text: "a part")))
  }

  @Test func `may be that of a feature which is plugged in`() async throws {
    func desk() -> Feature<Desk> {
      let notes = Feature(
        Notes(), adaptors: [Keeping("notes", in: folder.place) { .arrived($0) }])
      return Feature(Desk()).part(\.notes, .case(Desk.Change.notes, \.notes), notes)
    }
    let first = Lego(.init(), feature: desk())
    first.build(.notes(.text("plugged")))
    first.build(.hour)
    await first.close()
    let second = Lego(.init(), feature: desk())
    #expect(second.design == .init(notes: .init(text: "plugged")))

    // What another program saves arrives in the part.
    let other = folder.keeper()
    let others = folder.store(other)
    others.build(.text("theirs"))
    try await other.save()
    #expect(await eventually { second.design.notes.text == "theirs" })
    #expect(second.effectCount == 0)
    await second.close()
    await others.close()
  }

  @Test func `is refused for a part that may go`() async throws {
    let reports = Reports()
    await reports.during {
      let notes = Feature(Notes(), adaptors: [Keeping("notes", in: folder.place)])
      let desk = Feature(Desk()).optional(
        \.visitor, .case(Desk.Change.visitor, \.visitor), notes)
      let lego = Lego(.init(visitor: .init()), feature: desk)
      lego.build(.visitor(.text("gone")))
      await lego.close()
    }
    #expect(reports.lines.count == 1)
    #expect(reports.lines.first?.contains("a part that may go") == true)
    #expect(folder.files == [])
  }

  @Test func `is the one that a store under test begins with`() async throws {
    try folder.write("notes.json", #"{"version":1,"value":{"text":"old","count":1,"ratio":0}}"#)
    let lego = TestLego(
      .init(), blueprint: Notes(), adaptors: [Keeping("notes", in: folder.place)])
    #expect(lego.design.text == "old")
    lego.build(.count(2)) { $0.count = 2 }
    await lego.close()
    await lego.finish()
    #expect(folder.notes() == .init(text: "old", count: 2))
  }

  @Test func `belongs to one store`() async throws {
    let reports = Reports()
    let keeper = folder.keeper()
    await reports.during {
      let first = folder.store(keeper)
      let second = folder.store(keeper)
      first.build(.text("first"))
      second.build(.text("second"))
      await second.close()
      await first.close()
      let third = folder.store(keeper)
      third.build(.text("third"))
      await third.close()
    }
    #expect(reports.lines.count == 2)
    #expect(reports.lines.allSatisfy { $0.contains("a keeper has one store") })
    #expect(folder.notes().text == "first")
  }

  @Test func `keeps numbers that JSON does not have`() async throws {
    for number in [Double.infinity, -.infinity, .leastNonzeroMagnitude, -0.0] {
      let store = folder.store(folder.keeper())
      store.build(.ratio(number))
      await store.close()
      #expect(folder.notes().ratio.bitPattern == number.bitPattern)
    }
  }
}

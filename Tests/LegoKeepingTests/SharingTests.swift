import Foundation
import LegoKeeping
import LegoKit
import LegoSamples
import LinuxTestSupport
import Testing

@Suite struct `Two programs with one file` {
  let folder = Folder()

  @Test func `take over what the other saves, as the app says`() async throws {
    let (mine, theirs) = (folder.keeper(), folder.keeper())
    let first = folder.store(mine) { .arrived($0) }
    let second = folder.store(theirs)
    for count in 1...20 {
      second.build(.count(count))
      try await theirs.save()
      #expect(await eventually { first.design.count == count })
    }
    await first.close()
    await second.close()
    #expect(folder.files == ["notes.json"])
    #expect(folder.notes().count == 20)
  }

  @Test func `lose nothing where the app has no rule`() async throws {
    let reports = Reports()
    try await reports.during {
      let (mine, theirs) = (folder.keeper(), folder.keeper())
      let (first, second) = (folder.store(mine), folder.store(theirs))
      first.build(.text("first"))
      second.build(.text("second"))
      try await mine.save()
      try await theirs.save()
      #expect(folder.notes().text == "second")
      await first.close()
      await second.close()
    }
    // The first one had nothing new at its end, and left the file as the second saved it.
    #expect(reports.lines.count == 1)
    #expect(reports.lines.first?.contains("set aside as notes.json.replaced-1") == true)
    #expect(folder.text("notes.json.replaced-1")?.contains("first") == true)
    #expect(folder.notes().text == "second")
    #expect(folder.files == ["notes.json", "notes.json.replaced-1"])
  }

  @Test func `leave alone what a newer one has saved meanwhile`() async throws {
    let reports = Reports()
    let newer = #"{"version":2,"value":{}}"#
    try await reports.during {
      let keeper = folder.keeper()
      let lego = folder.store(keeper)
      lego.build(.text("old"))
      try await keeper.save()
      try folder.write("notes.json", newer)
      lego.build(.text("older"))
      let error = await #expect(throws: KeepingError.self) { try await keeper.save() }
      #expect(error?.code == .newerVersion)
      await lego.close()
    }
    #expect(folder.text("notes.json") == newer)
    #expect(reports.lines.count == 1)
  }

  @Test func `set aside what somebody has broken meanwhile`() async throws {
    let reports = Reports()
    try await reports.during {
      let keeper = folder.keeper()
      let lego = folder.store(keeper)
      lego.build(.text("good"))
      try await keeper.save()
      try folder.write("notes.json", "edited by hand")
      lego.build(.text("better"))
      try await keeper.save()
      await lego.close()
    }
    #expect(folder.text("notes.json.unreadable-1") == "edited by hand")
    #expect(folder.notes().text == "better")
    #expect(reports.lines.count == 1)
  }

  @Test func `keep what they have saved when somebody breaks the file`() async throws {
    let reports = Reports()
    try await reports.during {
      let keeper = folder.keeper(saving: .automatic)
      let lego = folder.store(keeper) { .arrived($0) }
      lego.build(.text("good"))
      try await keeper.save()
      try folder.write("notes.json", "edited by hand")
      // Nothing is built any more.
      #expect(await eventually { folder.files == ["notes.json", "notes.json.unreadable-1"] })
      #expect(folder.notes().text == "good")
      await lego.close()
    }
    #expect(folder.notes().text == "good")
    #expect(reports.lines.count == 1)
  }

  @Test func `keep it until they save, where they save only when asked`() async throws {
    let reports = Reports()
    try await reports.during {
      let keeper = folder.keeper()
      let lego = folder.store(keeper) { .arrived($0) }
      lego.build(.text("good"))
      try await keeper.save()
      try folder.write("notes.json", "edited by hand")
      #expect(await eventually { folder.files == ["notes.json.unreadable-1"] })
      await lego.close()
    }
    #expect(folder.notes().text == "good")
  }

  @Test func `add up what both count`() async throws {
    let children = try (0..<2).map { _ in try KeeperProcess("add", folder.path, "60") }
    for child in children { #expect(child.end() == 0) }
    let last = try KeeperProcess("exit", folder.path)
    #expect(last.line() == "begins 120")
    #expect(last.end() == 0)
    #expect(folder.files == ["tally.json"])
  }

  @Test func `do so in one process, too, with two threads`() async throws {
    for _ in 0..<3 {
      let place = Folder()
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            let keeper = Keeper<Purse.Design>(
              "purse", in: place.place, saving: .after(.milliseconds(1), atMost: .milliseconds(2)))
            let lego = Lego(
              .init(), blueprint: Purse(), adaptors: [Keeping(keeper) { .arrived($0) }])
            for round in 0..<200 {
              lego.build(.add)
              if round.isMultiple(of: 20) { try? await keeper.save() }
            }
            await lego.close()
          }
        }
      }
      let keeper = Keeper<Purse.Design>("purse", in: place.place)
      let lego = Lego(.init(), blueprint: Purse(), adaptors: [Keeping(keeper)])
      #expect(lego.design.coins == 400)
      #expect(place.files == ["purse.json"])
      await lego.close()
    }
  }
}

/// Coins that several may add to.
private struct Purse: Blueprint {
  struct Design: Codable, Equatable, Sendable, Mergeable {
    var coins = 0

    func merged(with theirs: Design, since base: Design) -> Design {
      Design(coins: coins + theirs.coins - base.coins)
    }
  }

  enum Change: Equatable, Sendable {
    case add
    case arrived(KeptArrival<Design>)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .add: design.coins += 1
    case .arrived(let arrival): design = arrival.merged(into: design)
    }
  }
}

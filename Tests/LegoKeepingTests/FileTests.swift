import Foundation
import Glibc
import LegoKeeping
import LegoKit
import LegoSamples
import LinuxTestSupport
import Testing

@Suite struct `The kept file` {
  let folder = Folder()

  /// Begins with what lies there and saves over it.
  private func replace() async throws -> [String] {
    let reports = Reports()
    try await reports.during {
      let keeper = folder.keeper()
      let lego = folder.store(keeper)
      #expect(lego.design == .init())
      lego.build(.text("new"))
      try await keeper.save()
      await lego.close()
    }
    #expect(folder.notes().text == "new")
    return reports.lines
  }

  @Test func `is for its owner alone`() async throws {
    let old = umask(0)
    defer { umask(old) }
    let lego = folder.store(folder.keeper())
    lego.build(.text("secret"))
    await lego.close()
    #expect(try folder.mode() == 0o700)
    #expect(try folder.mode("notes.json") == 0o600)
    #expect(try folder.mode(".notes.json.lock") == 0o600)
    #expect(folder.hidden == [".notes.json.lock"])
  }

  @Test(arguments: [0o1777, 0o777, 0o770, 0o775])
  func `does not lie in a directory that others write to, which keeps its mode`(mode: Int)
    async throws
  {
    try folder.make()
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
    let reports = Reports()
    await reports.during {
      let keeper = folder.keeper()
      let lego = folder.store(keeper)
      lego.build(.text("astray"))
      let error = await #expect(throws: KeepingError.self) { try await keeper.save() }
      #expect(error?.code == .unsafeDirectory)
      #expect(error?.reason.contains("is writable by other users") == true)
      await lego.close()
    }
    #expect(try folder.mode() == mode)
    #expect(folder.files == [] && folder.hidden == [])
    // It is tried again until it is saved.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    #expect(await eventually { folder.files == ["notes.json"] })
    #expect(try folder.mode() == 0o755)
  }

  @Test(.requiresRoot) func `is set aside when it is another user's`() async throws {
    try folder.write("notes.json", #"{"version":1,"value":{"text":"theirs","count":0,"ratio":0}}"#)
    #expect(unsafe chown(folder.path(of: "notes.json"), 65_534, 65_534) == 0)
    #expect(try await replace().first?.contains("belongs to user 65534") == true)
  }

  @Test(arguments: [
    "", "{", "[]", "no JSON", #"{"version":1}"#, #"{"version":1,"value":[]}"#,
    #"{"version":0,"value":{"text":"","count":0,"ratio":0}}"#,
    #"{"version":1,"value":{"text":"","count":"many","ratio":0}}"#,
    #"{"version":1,"value":{"text":"cut"#, "\u{0}\u{1B}[2J", String(repeating: "[", count: 100_000),
    #"{"version":99999999999999999999,"value":{}}"#,
  ])
  func `is set aside when it cannot be read`(text: String) async throws {
    try folder.write("notes.json", text)
    let reports = try await replace()
    #expect(reports.count == 1)
    #expect(reports.first?.contains("set aside as notes.json.unreadable-1") == true)
    #expect(reports.first?.utf8.allSatisfy { $0 >= 0x20 } == true)
    #expect(folder.text("notes.json.unreadable-1") == text)
    #expect(folder.files == ["notes.json", "notes.json.unreadable-1"])
  }

  @Test func `is set aside when it is huge`() async throws {
    try folder.write("notes.json", "")
    #expect(unsafe truncate(folder.path(of: "notes.json"), 1 << 40) == 0)
    #expect(try await replace().first?.contains("more than 1048576 bytes") == true)
  }

  @Test func `is set aside when it is no file`() async throws {
    try folder.make()
    #expect(unsafe mkfifo(folder.path(of: "notes.json"), 0o600) == 0)
    #expect(try await replace().first?.contains("not a regular file") == true)

    let other = Folder()
    try other.make()
    #expect(unsafe mkdir(other.path(of: "notes.json"), 0o700) == 0)
    let reports = Reports()
    await reports.during {
      let lego = other.store(other.keeper())
      lego.build(.text("new"))
      await lego.close()
    }
    #expect(other.files == ["notes.json", "notes.json.unreadable-1"])
    #expect(reports.lines.count == 1)
  }

  @Test func `is not followed out of its directory`() async throws {
    let target = Folder()
    try target.write("target.json", #"{"version":1,"value":{"text":"x","count":0,"ratio":0}}"#)
    try folder.make()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: "notes.json"), withDestinationPath: target.path(of: "target.json"))
    // Nor are the files beside it.
    for name in [".notes.json.part"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(of: name), withDestinationPath: target.path(of: "made"))
    }
    let before = target.text("target.json")
    #expect(try await replace().first?.contains("symbolic link") == true)
    #expect(target.text("target.json") == before)
    #expect(target.files == ["target.json"])

    let linked = Folder()
    try FileManager.default.createSymbolicLink(
      atPath: linked.path, withDestinationPath: target.path)
    let reports = Reports()
    await reports.during {
      let lego = linked.store(linked.keeper())
      lego.build(.text("astray"))
      await lego.close()
    }
    #expect(reports.lines.first?.contains("Not a directory") == true)
    #expect(target.files == ["target.json"])
    // It is tried again until it is saved.
    #expect(unsafe unlink(linked.path) == 0)
    #expect(await eventually { linked.files == ["notes.json"] })
  }

  @Test func `is not locked by way of a link`() async throws {
    let target = Folder()
    try target.make()
    try folder.make()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: ".notes.json.lock"), withDestinationPath: target.path(of: "made"))
    let reports = Reports()
    await reports.during {
      let lego = folder.store(folder.keeper())
      lego.build(.text("astray"))
      await lego.close()
    }
    #expect(reports.lines.count >= 1)
    #expect(target.files == [])
    #expect(folder.files == [])
    // It is tried again until it is saved.
    #expect(unsafe unlink(folder.path(of: ".notes.json.lock")) == 0)
    #expect(await eventually { folder.files == ["notes.json"] })
  }

  @Test func `is saved in the end, however often that has failed since its store ended`()
    async throws
  {
    try folder.make()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: ".notes.json.lock"), withDestinationPath: "/nowhere")
    let clock = TestClock()
    let reports = Reports()
    await reports.during {
      await withContractors {
        $0.clock = clock
      } operation: {
        let lego = folder.store(folder.keeper())
        lego.build(.text("late"))
        await lego.close()
        for seconds in [1, 2, 4] {
          await clock.waitForSleepers()
          await clock.advance(by: .seconds(seconds))
        }
      }
    }
    await clock.waitForSleepers()
    #expect(reports.lines.count == 1)
    #expect(unsafe unlink(folder.path(of: ".notes.json.lock")) == 0)
    await clock.advance(by: .seconds(8))
    #expect(await eventually { folder.files == ["notes.json"] })
    #expect(folder.notes().text == "late")
  }

  @Test func `of a newer program is left as it is`() async throws {
    let text = #"{"version":3,"value":{"future":true}}"#
    try folder.write("notes.json", text)
    let reports = Reports()
    await reports.during {
      let keeper = folder.keeper(saving: .after(.zero, atMost: .zero))
      let lego = folder.store(keeper)
      for count in 1...10 { lego.build(.count(count)) }
      let error = await #expect(throws: KeepingError.self) { try await keeper.save() }
      #expect(error?.code == .newerVersion)
      await lego.close()
    }
    #expect(reports.lines.count == 1)
    #expect(reports.lines.first?.contains("version 3") == true)
    #expect(folder.text("notes.json") == text)
    #expect(folder.files == ["notes.json"])
  }

  @Test func `is not lost when no name is left to set it aside`() async throws {
    try folder.write("notes.json", "broken")
    for number in 1...100 { try folder.write("notes.json.unreadable-\(number)", "") }
    let reports = Reports()
    try await reports.during {
      let keeper = folder.keeper()
      let lego = folder.store(keeper)
      lego.build(.text("new"))
      let error = await #expect(throws: KeepingError.self) { try await keeper.save() }
      #expect(error?.code == .notSetAside)
      #expect(folder.text("notes.json") == "broken")
      try FileManager.default.removeItem(atPath: folder.path(of: "notes.json.unreadable-7"))
      await lego.close()
    }
    #expect(folder.text("notes.json.unreadable-7") == "broken")
    #expect(folder.notes().text == "new")
  }

  @Test func `leaves nothing of a writer that was ended`() async throws {
    try folder.write(".notes.json.part", "half")
    let lego = folder.store(folder.keeper())
    #expect(folder.hidden == [".notes.json.lock"])
    await lego.close()
  }

  @Test func `takes no more descriptors than it closes`() async throws {
    let keeper = folder.keeper()
    let lego = folder.store(keeper)
    try await keeper.save()
    let before = OwnProcess.descriptorCount
    for _ in 0..<50 {
      let other = Folder()
      let store = other.store(other.keeper(saving: .automatic)) { .arrived($0) }
      store.build(.text("x"))
      await store.close()
    }
    #expect(await eventually { OwnProcess.leftNothing(openSince: before) })
    await lego.close()
  }
}

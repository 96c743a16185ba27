import LegoKeeping
import LegoKit
import LegoSamples
import LinuxTestSupport
import Testing

private struct First: Codable, Sendable {
  var title: String
}

private struct Second: Codable, Sendable {
  var title: String
  var count: Int
}

private struct Refusal: Error, CustomStringConvertible {
  let description = "not \u{1B}[31mthis one"
}

@Suite struct `The history of a kept value` {
  let folder = Folder()

  private var history: KeptHistory<Notes.Design> {
    KeptHistory(First.self)
      .then(Second.self) { old in
        if old.title == "refused" { throw Refusal() }
        return Second(title: old.title + "!", count: 2)
      }
      .then(Notes.Design.self) { old in Notes.Design(text: old.title, count: old.count) }
  }

  @Test func `leads from each version to the newest, which is saved at once`() async throws {
    #expect(history.version == 3)
    for (text, expected) in [
      (#"{"version":1,"value":{"title":"one"}}"#, Notes.Design(text: "one!", count: 2)),
      (#"{"version":2,"value":{"title":"two","count":7}}"#, Notes.Design(text: "two", count: 7)),
      (
        #"{"version":3,"value":{"text":"three","count":1,"ratio":0.5}}"#,
        Notes.Design(text: "three", count: 1, ratio: 0.5)
      ),
    ] {
      try folder.write("notes.json", text)
      let lego = folder.store(folder.keeper(history: history))
      #expect(lego.design == expected)
      #expect(await eventually { folder.text("notes.json")?.contains("\"version\":3") ?? false })
      await lego.close()
      #expect(folder.files == ["notes.json"])
    }
  }

  @Test func `sets a file aside that cannot go on`() async throws {
    try folder.write("notes.json", #"{"version":1,"value":{"title":"refused"}}"#)
    let reports = Reports()
    await reports.during {
      let lego = folder.store(folder.keeper(history: history))
      #expect(lego.design == .init())
      await lego.close()
    }
    #expect(reports.lines.count == 1)
    #expect(reports.lines.first?.contains(#"not \u001b[31mthis one"#) == true)
    #expect(folder.files == ["notes.json.unreadable-1"])
  }

  @Test func `may begin later`() async throws {
    let short = KeptHistory(Second.self, version: 2)
      .then(Notes.Design.self) { Notes.Design(text: $0.title, count: $0.count) }
    #expect(short.version == 3)
    try folder.write("notes.json", #"{"version":1,"value":{"title":"one"}}"#)
    let reports = Reports()
    await reports.during {
      let lego = folder.store(folder.keeper(history: short))
      #expect(lego.design == .init())
      await lego.close()
    }
    #expect(reports.lines.first?.contains("too old") == true)
    #expect(folder.files == ["notes.json.unreadable-1"])
  }
}

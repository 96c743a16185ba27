import LegoKit
import LegoLinks
import LegoSamples
import LinuxTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A store that follows links` {
  let inbox = LinkInbox()
  let reports = Reports()

  @Test func `builds a change for each, also for those that came before it`() async throws {
    inbox.send(LinkArrival("photos:/picture/1"))
    let lego = try Photos.store(inbox)
    inbox.send(LinkArrival("PHOTOS://search?words=a%20%26"))
    inbox.send(LinkArrival(nil, origin: .bus))
    #expect(await eventually { lego.design.shown == 1 })
    #expect(lego.design.routes == [.picture(1), .search("a &")])
    await lego.close()
  }

  @Test(
    arguments: [
      ("photos:/picture/three", "the link leads to nothing in this program"),
      ("photos:/picture/%zz", "the link is malformed at byte 16"),
      ("photos:/picture/%ff", "the link is malformed at byte 16"),
      ("other:/picture/3", "the link is for another program"),
      ("\u{1b}[2J\u{202e}", "the link is for another program"),
      ("photos:/" + String(repeating: "a", count: 1 << 20), "the link is longer than 16384 bytes"),
      ("", "the link is for another program"),
    ])
  func `reports a link that leads nowhere in one line, and goes on`(link: String, reason: String)
    async throws
  {
    try await reports.during {
      let lego = try Photos.store(inbox)
      inbox.send(LinkArrival(link))
      inbox.send(LinkArrival("photos:/picture/2"))
      #expect(await eventually { lego.design.routes == [.picture(2)] })
      await lego.close()
    }
    let line = try #require(reports.lines.first)
    #expect(reports.lines.count == 1)
    #expect(line.hasPrefix("the link \"") && line.hasSuffix(" is ignored: \(reason)"))
    #expect(line.utf8.count < 1_000)
    #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
  }

  @Test func `leaves what arrives after its end for the next one`() async throws {
    let first = try Photos.store(inbox)
    await first.close()
    inbox.send(LinkArrival("photos:/picture/4"))
    let second = try Photos.store(inbox)
    #expect(await eventually { second.design.routes == [.picture(4)] })
    #expect(first.design.routes == [])
    await second.close()
  }
}

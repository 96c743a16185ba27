import Testing

@testable import LegoLinks

@Suite struct `Names and schemes` {
  @Test(arguments: ["org.example.Photos", "a.b", "_a.B-1_", "org.example.a-b"])
  func `that a bus knows are taken`(name: String) throws {
    #expect(try BusName(name).text == name)
  }

  @Test(
    arguments: [
      "", "photos", ".a.b", "a..b", "a.b.", "a.1b", "a.b c", "a.b/c", ":1.7", "a.ä",
      "a." + String(repeating: "b", count: 254), "a.b\n",
    ])
  func `that no bus knows are refused`(name: String) {
    #expect(throws: DesktopApplicationError.self) { try BusName(name) }
  }

  @Test func `make the path of the object`() throws {
    #expect(try BusName("org.example.My-Photos_2").path == "/org/example/My_Photos_2")
  }

  @Test(arguments: ["", "1a", "a b", "ä", "a:", "a/", String(repeating: "a", count: 65)])
  func `that begin no link are refused`(scheme: String) {
    #expect(throws: DesktopApplicationError.self) { try LinkScheme(scheme) }
  }

  @Test func `tell links from other arguments`() throws {
    let schemes = [try LinkScheme("photos"), try LinkScheme("Web+Photos")]
    let found = LinkArguments(
      ["-v", "photos:/a", "PHOTOS:b", "photos", "photosx:/a", "web+photos:", "", "--photos:/a"],
      schemes: schemes)
    #expect(found.links == ["photos:/a", "PHOTOS:b", "web+photos:"])
    #expect(!found.isService)
    #expect(LinkArguments(["--gapplication-service"], schemes: schemes).isService)
  }
}

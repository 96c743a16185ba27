import AccessModel
import MessageBus
import Testing

@testable import LinuxDevices

/// Tests the parsing of arbitrary URIs from a portal.
@Suite struct `A URI of a chosen file` {
  /// Returns the bytes of the path; `nil` if the URI has none.
  private func bytes(_ uri: String) -> [UInt8]? {
    (try? FileURI.path(uri)).map { ByteText($0).bytes }
  }

  @Test(arguments: [
    ("file:///a", "/a"), ("file:///a/b%20c.png", "/a/b c.png"), ("file:/a", "/a"),
    ("FILE://LocalHost/a", "/a"), ("file:///%c3%BC", "/ü"), ("file:///ü", "/ü"),
    ("file:///a%25b", "/a%b"), ("file:///a%3Fb%23c", "/a?b#c"), ("file:///", "/"),
    ("file:///a//b/", "/a//b/"), ("file:///a/../b", "/a/../b"), ("file:///-rf", "/-rf"),
    ("file:///run/user/1000/doc/4f2a/IMG%201.png", "/run/user/1000/doc/4f2a/IMG 1.png"),
    ("file:///a%0Ab", "/a\nb"), ("file:///%1B%5B31m", "/\u{1B}[31m"), ("file:///a b", "/a b"),
  ])
  func `is the path of a file`(uri: String, path: String) throws {
    #expect(try FileURI.path(uri) == path)
  }

  @Test func `keeps bytes that are no text`() {
    #expect(bytes("file:///%ff%FE%80") == [0x2F, 0xFF, 0xFE, 0x80])
    #expect(bytes("file:///%c3") == [0x2F, 0xC3])
    #expect(bytes("file:///%ED%A0%80") == [0x2F, 0xED, 0xA0, 0x80])
    #expect(bytes("file:///\u{10FF80}") == [0x2F, 0xF4, 0x8F, 0xBE, 0x80])
  }

  @Test(arguments: [
    ("", FileURI.Problem.scheme), ("/etc/passwd", .scheme), ("file", .scheme),
    ("files:///a", .scheme),
    ("http://localhost/a", .scheme), ("trash:///a", .scheme), ("mtp://[usb:001,002]/a", .scheme),
    ("file:", .relative), ("file://", .relative), ("file:a", .relative),
    ("file://localhost", .relative),
    ("file://host/a", .host), ("file://a", .host), ("file://localhost:80/a", .host),
    ("file://user@localhost/a", .host), ("file://%6c/a", .host),
    ("file:///a?b", .query), ("file:///a#b", .query),
    ("file:///%", .escape), ("file:///%1", .escape), ("file:///%g1", .escape),
    ("file:///%1g", .escape), ("file:///%%41", .escape), ("file:///%u0041", .escape),
    ("file:///%-1", .escape), ("file:///%+1", .escape), ("file:///% 1", .escape),
    ("file:///%é1", .escape),
    ("file:///a%00b", .null), ("file:///a\0b", .null),
    ("file:///a%2fb", .slash), ("file:///%2F..%2Fetc", .slash),
    ("file:///a\nb", .control), ("file:///\u{1B}[31m", .control), ("file:///\u{7F}", .control),
  ])
  func `that is none names the problem`(uri: String, problem: FileURI.Problem) {
    #expect(throws: problem) { try FileURI.path(uri) }
  }

  @Test func `is no longer than a path can be`() throws {
    let most = String(repeating: "a", count: AbsolutePath.longest - 2)
    #expect(try FileURI.path("file:///" + most).utf8.count == AbsolutePath.longest - 1)
    #expect(throws: FileURI.Problem.tooLong) { try FileURI.path("file:///a" + most) }
    let escaped = String(repeating: "%41", count: AbsolutePath.longest - 2)
    #expect(try FileURI.path("file:///" + escaped).utf8.count == AbsolutePath.longest - 1)
    #expect(throws: FileURI.Problem.tooLong) {
      try FileURI.path("file:///" + String(repeating: "%41", count: AbsolutePath.longest + 20))
    }
  }

  /// Every byte that a name can contain survives escapes in upper and lower case.
  @Test func `keeps every byte that is escaped`() {
    for byte in UInt8(1)...255 where byte != UInt8(ascii: "/") {
      let digits = String(byte, radix: 16)
      let escape = "%" + (digits.count == 1 ? "0" : "") + digits
      #expect(bytes("file:///" + escape) == [0x2F, byte])
      #expect(bytes("file:///" + escape.uppercased()) == [0x2F, byte])
    }
  }

  // MARK: The results of a dialog

  private func results(_ uris: BusValue) -> BusValue {
    .list([.list([.text("choices"), .list([])]), .list([.text("uris"), uris])])
  }

  private func reply(_ uris: [String]) -> PortalFileReply? {
    PortalReplyParser.files(results(.list(uris.map { .text($0) })))
  }

  @Test func `is one of those in the results, each once`() {
    let reply = reply(["file:///b", "file:///a", "file:///%62", "http://c", "file:///a"])
    #expect(reply?.outcome == .granted)
    #expect(reply?.paths == ["/b", "/a"])
    #expect(
      reply?.unusable == [
        UnusableURI("http://c", reason: "it is not a URI of the scheme file")
      ])
    #expect(reply?.isComplete == true)
    #expect(self.reply([]) == PortalFileReply(choosing: []))
  }

  @Test func `is not taken from what names none`() {
    let noResults: [BusValue] = [
      .other, .text("uris"), .list([]), .list([.text("uris")]), .list([.list([.text("uris")])]),
      results(.text("file:///a")), results(.other), results(.unsigned(1)),
      .list([.list([.text("uri"), .list([.text("file:///a")])])]),
    ]
    for value in noResults { #expect(PortalReplyParser.files(value) == nil, "\(value)") }
  }

  @Test func `of another type, or too long, is told as unusable`() {
    let reply = PortalReplyParser.files(
      results(.list([.other, .unsigned(7), .list([.text("file:///a")]), .text("file:///b")])))
    #expect(reply?.paths == ["/b"])
    #expect(reply?.unusable.count == 3)
    let long = self.reply([String(repeating: "\u{10FFFD}", count: 4_000)])
    #expect(long?.unusable.first?.uri.unicodeScalars.count == UnusableURI.longest)
  }

  @Test func `counts among the first thousand`() {
    let many = (0..<1_500).map { "file:///\($0)" }
    #expect(reply(many)?.paths.count == PortalFileReply.mostFiles)
    #expect(reply(many)?.isComplete == false)
    #expect(reply(Array(many.prefix(1_000)))?.isComplete == true)
    #expect(reply([String](repeating: "x:", count: 1_001))?.unusable.count == 1_000)
  }
}

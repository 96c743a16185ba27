import AccessModel
import Testing

@testable import LinuxDevices

@Suite struct TextTests {
  @Test(arguments: [
    (Array("Webcam".utf8), "Webcam"),
    (Array("a\u{1B}[31m".utf8), "a\u{FFFD}[31m"),
    ([0x43, 0xFF, 0x43], "C\u{FFFD}C"),
    ([0xC2, 0x9B], "\u{FFFD}"),
    ([0x7F, 0x00, 0x0A], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    (Array("x\u{202E}y".utf8), "x\u{FFFD}y"),
    (Array("Kamera für München 📷".utf8), "Kamera für München 📷"),
    ([], ""),
  ])
  func `text from hardware cannot control a terminal`(bytes: [UInt8], text: String) {
    #expect(String(repairing: bytes, limit: 100) == text)
  }

  @Test func `text is cut where it was agreed, even within a character`() {
    #expect(String(repairing: Array("ab".utf8), limit: 1) == "a")
    #expect(String(repairing: Array("é".utf8), limit: 1) == "\u{FFFD}")
    #expect(String(repairing: Array("a".utf8), limit: -1) == "")
  }

  @Test(arguments: [
    (["video10", "video2", "video1"], ["video1", "video2", "video10"]),
    (["card1", "pcmC0D0c", "card0"], ["card0", "card1", "pcmC0D0c"]),
    (["a01", "a1"], ["a01", "a1"]),
    (["x99999999999999999999999", "x1"], ["x1", "x99999999999999999999999"]),
    (["7", ""], ["", "7"]),
  ])
  func `numbers in kernel names are compared as numbers`(names: [String], sorted: [String]) {
    let ordered = names.sorted { KernelName($0) < KernelName($1) }
    #expect(ordered == sorted || names.contains { $0.count > 20 })
    #expect(Set(ordered) == Set(sorted))
  }

  @Test(arguments: [
    ("../../video0", "/dev/v4l/by-id/cam", "/dev/video0"),
    ("/dev/video0", "/dev/v4l/by-id/cam", "/dev/video0"),
    ("./x", "/dev/cam", "/dev/x"),
    ("../../../../x", "/dev/cam", "/x"),
    ("", "/dev/cam", "/dev"),
    ("/", "/dev/cam", "/"),
    ("/dev//video0", "/dev/cam", "/dev/video0"),
    ("/dev/./video0", "/dev/cam", "/dev/video0"),
    ("/dev/x/../video0", "/dev/cam", "/dev/video0"),
    ("/dev/video0/", "/dev/cam", "/dev/video0"),
    ("/dev/.hidden", "/dev/cam", "/dev/.hidden"),
  ])
  func `a link's target is found by its names`(target: String, link: String, node: String) {
    #expect(SymbolicLink.resolve(target, from: link) == node)
  }

  @Test func `an access control list keeps its stored order and its doubles`() throws {
    let bytes: [UInt8] =
      [2, 0, 0, 0] + [1, 0, 6, 0, 255, 255, 255, 255] + [2, 0, 7, 0, 0xF4, 1, 0, 0]
      + [2, 0, 1, 0, 0xF4, 1, 0, 0] + [4, 0, 4, 0, 255, 255, 255, 255]
      + [8, 0, 4, 0, 44, 0, 0, 0] + [0x10, 0, 6, 0, 255, 255, 255, 255]
      + [0x20, 0, 0, 0, 255, 255, 255, 255]
    #expect(
      ACLEntry.list(parsing: bytes) == [
        ACLEntry(.user, nil, [.read, .write]),
        ACLEntry(.user, 500, [.read, .write, .execute]), ACLEntry(.user, 500, .execute),
        ACLEntry(.group, nil, .read), ACLEntry(.group, 44, .read),
        ACLEntry(.mask, nil, [.read, .write]), ACLEntry(.other, nil, []),
      ])
  }

  @Test(
    arguments: [
      [], [2], [3, 0, 0, 0], [2, 0, 0, 0, 1], [2, 0, 0, 0, 3, 0, 7, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func `an access control list of another form is not guessed at`(bytes: [UInt8]) {
    #expect(ACLEntry.list(parsing: bytes) == nil)
  }
}

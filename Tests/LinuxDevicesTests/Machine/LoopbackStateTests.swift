import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `A virtual camera` {
  private static func isFed(
    _ files: [String: String], below folder: String = "virtual"
  ) throws -> Bool? {
    let directory = try TemporaryDirectory()
    let place = "devices/\(folder)/video4linux/video0"
    let path = try directory.directory(place)
    for (name, text) in files { try directory.file("\(place)/\(name)", text) }
    return LoopbackState.isFed(at: path)
  }

  @Test(
    arguments: [
      (["state": "capture\n", "format": ""], true),
      (["state": "output\n", "format": "YUYV:320x240@30\n"], false),
      (["state": "x\n", "format": "YUYV:320x240@30\n"], nil),
      // Before version 0.13.
      (["format": "YUYV:320x240@30\n"], true), (["format": ""], false), ([:], nil),
    ] as [([String: String], Bool?)])
  func `tells whether it is fed`(files: [String: String], isFed: Bool?) throws {
    #expect(try Self.isFed(files) == isFed)
    #expect(try Self.isFed(files, below: "pci0000:00") == nil)
  }
}

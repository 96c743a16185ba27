import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `A virtual camera` {
  private static func state(
    _ files: [String: String], below folder: String = "virtual", module: String? = nil
  ) throws -> LoopbackState? {
    let directory = try TemporaryDirectory()
    let place = "devices/\(folder)/video4linux/video0"
    let path = try directory.directory(place)
    for (name, text) in files { try directory.file("\(place)/\(name)", text) }
    if let module {
      _ = try directory.directory("module/v4l2loopback")
      try directory.file("module/v4l2loopback/version", module)
    }
    return LoopbackState(at: path)
  }

  @Test(
    arguments: [
      (["state": "capture\n", "format": "", "buffers": "2\n"], true),
      (["state": "output\n", "format": "YUYV:320x240@30\n"], false),
      (["state": "x\n", "format": "YUYV:320x240@30\n"], nil),
      // The device is kept as a camera, but no program has fed it yet.
      (["state": "capture\n", "format": "", "buffers": "0\n"], false),
    ] as [([String: String], Bool?)])
  func `tells whether it is fed`(files: [String: String], isFed: Bool?) throws {
    let state = try #require(try Self.state(files))
    #expect(state.isFed == isFed)
    #expect(state.isKept == (files["buffers"] == "0\n"))
    #expect(state.mostOpenFiles == nil)
    #expect(try Self.state(files.merging(["max_openers": "10\n"]) { $1 })?.mostOpenFiles == 10)
    #expect(state.version == .oneMapping)
    #expect(try Self.state(files, module: "0.15.0\n")?.version == .oneViewer)
    #expect(try Self.state(files, below: "pci0000:00") == nil)
  }

  @Test(arguments: [("YUYV:320x240@30\n", true), ("", false)])
  func `tells it by its format before version 0.13`(format: String, isFed: Bool) throws {
    let state = try #require(try Self.state(["format": format], module: "0.12.7\n"))
    #expect(state.isFed == isFed)
    #expect(state.version == .anyViewers)
    #expect(try Self.state([:]) == nil)
  }
}

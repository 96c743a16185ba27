import AccessModel
import Testing

/// Nodes that came back under another number.
extension CauseTests {
  private static func missing(_ change: (inout Fixtures) -> Void) throws -> Explanation {
    let facts = Fixtures.camera.with(change).facts
    // The facts give the same answer after a journey.
    return try JSON.decode(AccessFacts.self, JSON.encode(facts)).explain()
  }

  @Test(
    arguments: [
      ("/dev/ttyUSB0", "ttyUSB1", "/dev/serial/by-id"),
      ("/dev/ttyACM3", "ttyACM0", "/dev/serial/by-id"),
      ("/dev/video3", "video0", "/dev/v4l/by-id"), ("/dev/hidraw7", "hidraw0", nil),
    ] as [(String, String, String?)])
  func `a node that came back under another number is found by the links of its kind`(
    asked: String, name: String, folder: String?
  ) throws {
    let link = folder.map { "\($0)/usb-Maker_Thing" }
    let explanation = try Self.missing {
      $0.removeDevices()
      $0.facts.kind = nil
      $0.facts.access.request = Question(.path(asked)).request(for: asked, type: nil)
      let subsystem = name.hasPrefix("tty") ? "tty" : name.hasPrefix("v") ? "video4linux" : "hidraw"
      var device = DeviceFacts(
        node: "/dev/\(name)", sysfsPath: "/sys/devices/x/\(name)", subsystem: subsystem,
        kernelName: name)
      device.properties = ["ID_V4L_CAPABILITIES": ":capture:"]
      device.links = link.map { [$0, "/dev/other-name"] } ?? []
      device.classify()
      $0.facts.devices = [device]
    }
    let cause = try #require(explanation.cause)
    #expect(cause.code == .nodeRenumbered)
    #expect(cause.summary.contains("/dev/\(name) does"))
    for other in ["/dev/serial/by-id", "/dev/v4l/by-id"] {
      #expect(cause.summary.contains("Links below \(other) stay the same") == (other == folder))
    }
    let title = try #require(explanation.remedies.first?.title)
    #expect(title.hasPrefix("Use /dev/\(name), the "))
    #expect(link.map { title.contains($0) } ?? !title.contains(" by /"))
    #expect((explanation.remedies.first?.lasts == nil) == (link != nil))
  }

  @Test func `a built-in port is not what became of one on USB`() throws {
    let explanation = try Self.missing {
      $0.removeDevices()
      $0.facts.kind = nil
      $0.facts.access.request = Question(.path("/dev/ttyUSB0")).request(
        for: "/dev/ttyUSB0", type: nil)
      $0.facts.devices = [
        DeviceFacts(
          node: "/dev/ttyS0", sysfsPath: "/sys/devices/x/tty/ttyS0", subsystem: "tty",
          kernelName: "ttyS0")
      ]
    }
    #expect(explanation.cause?.code == .nodeAbsent)
  }
}

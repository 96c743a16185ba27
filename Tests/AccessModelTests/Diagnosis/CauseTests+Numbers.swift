import AccessModel
import Testing

/// Nodes that returned with a different number, and nodes that belong to the same device.
extension CauseTests {
  private static func missing(_ change: (inout Fixtures) -> Void) throws -> Explanation {
    let facts = Fixtures.camera.with(change).facts
    // The facts are encoded and decoded first, which must not change the answer.
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
    #expect(
      title.hasPrefix(
        link.map { "Use \($0), the stable link to /dev/\(name), the " } ?? "Use /dev/\(name), the ")
    )
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

  /// Asks for a node on a machine with a camera and two USB cameras, each with a metadata node.
  private static func several(
    _ asked: String, without removed: [String] = []
  ) throws -> Explanation {
    try missing {
      $0.removeDevices()
      $0.join(Fixtures.video)
      for number in [0, 2, 3, 4, 5] {
        let place = "1-\(number / 2)"
        $0.addCamera(number)
        $0.device(number) {
          $0.sysfsPath = "/sys/devices/usb1/\(place)/\(place):1.0/video4linux/video\(number)"
          $0.index = number % 2
        }
      }
      $0.facts.devices.removeAll { removed.contains($0.kernelName) }
      $0.facts.access.nodes.removeAll { node in removed.contains { node.path == "/dev/\($0)" } }
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: asked, flags: [.readWrite])
    }
  }

  @Test(
    arguments: [
      ("/dev/video3", [], "Use /dev/video2, the node that delivers the camera's pictures"),
      ("/dev/video5", [], "Use /dev/video4, the node that delivers the camera's pictures"),
      ("/dev/video3", ["video2"], "Use /dev/video0, a camera of another device"),
    ] as [(String, [String], String)])
  func `a metadata node is mended by the camera of the same device`(
    asked: String, removed: [String], title: String
  ) throws {
    #expect(try Self.several(asked, without: removed).remedies.first?.title == title)
  }

  @Test func `a virtual node is of no other one's device`() throws {
    let explanation = try Self.missing {
      $0.removeDevices()
      $0.join(Fixtures.video)
      for number in [0, 1] {
        $0.addCamera(number)
        $0.device(number) {
          $0.sysfsPath = "/sys/devices/virtual/video4linux/video\(number)"
          $0.index = number
        }
      }
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: "/dev/video1", flags: [.readWrite])
    }
    #expect(explanation.remedies.first?.title == "Use /dev/video0, a camera of another device")
  }

  @Test func `a speaker is mended by the microphone of its card`() throws {
    let explanation = try Self.missing {
      $0.ask("/dev/snd/pcmC1D0p", mode: 0o666, wanted: .read)
      for name in ["pcmC0D0c", "pcmC1D0p", "pcmC1D0c"] {
        let card = name.dropFirst(4).prefix(1)
        var device = DeviceFacts(
          node: "/dev/snd/\(name)", sysfsPath: "/sys/devices/x/sound/card\(card)/\(name)",
          subsystem: "sound", kernelName: name)
        device.classify()
        $0.facts.devices.append(device)
      }
    }
    #expect(
      explanation.remedies.first?.title == "Use /dev/snd/pcmC1D0c, the microphone's own node")
  }

  @Test func `which of several cameras a missing node was is not told`() throws {
    let explanation = try Self.several("/dev/video2", without: ["video2", "video3"])
    let cause = try #require(explanation.cause)
    #expect(cause.code == .nodeAbsent)
    #expect(
      cause.summary == """
        /dev/video2 does not exist; the cameras are at /dev/video0 and /dev/video4. \
        Links below /dev/v4l/by-id stay the same.
        """)
    #expect(explanation.remedies.isEmpty)
  }

  @Test func `of many ports like a missing one only the first are named`() throws {
    let explanation = try Self.missing {
      $0.removeDevices()
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: "/dev/ttyS9", flags: [.readWrite])
      $0.facts.devices = (0..<6).map {
        DeviceFacts(
          node: "/dev/ttyS\($0)", sysfsPath: "/sys/devices/x/tty/ttyS\($0)", subsystem: "tty",
          kernelName: "ttyS\($0)")
      }
    }
    #expect(
      explanation.cause?.summary == """
        /dev/ttyS9 does not exist; the ttyS devices are at /dev/ttyS0, /dev/ttyS1, /dev/ttyS2, \
        /dev/ttyS3 and 2 more.
        """)
  }
}

import AccessModel

@testable import LinuxDevices

/// Messages of a daemon, assembled by hand.
enum PipeWireScript {
  static func properties(_ pairs: KeyValuePairs<String, String>) -> PipeWireValue {
    .structure(
      [.number(Int64(pairs.count))] + pairs.flatMap { [.text($0.key), .text($0.value)] })
  }

  static func global(
    _ id: Int64, _ type: String, _ pairs: KeyValuePairs<String, String>
  ) -> PipeWireMessage {
    PipeWireMessage(
      2, 0,
      [
        .number(id), .number(456), .text("PipeWire:Interface:\(type)"), .number(3),
        properties(pairs),
      ])
  }

  /// Returns the information that a node sends about itself, bound as `object`.
  static func info(
    _ object: UInt32, state: Int64, _ pairs: KeyValuePairs<String, String> = [:]
  ) -> PipeWireMessage {
    let counts = [PipeWireValue](repeating: .number(0), count: 5)
    return PipeWireMessage(
      object, 0,
      [.number(0)] + counts + [.number(state), .none, properties(pairs), .structure([.number(0)])])
  }

  static let done = [1, 2].map { PipeWireMessage(0, 1, [.number(0), .number($0)]) }

  /// A camera that zoom uses, and a microphone that a PulseAudio recorder uses.
  static let messages: [PipeWireMessage] = [
    global(31, "Node", ["media.class": "Video/Source", "object.path": "v4l2:/dev/video0"]),
    global(32, "Node", ["client.id": "33", "media.class": "Stream/Input/Video"]),
    global(
      33, "Client",
      [
        "application.name": "zoom", "pipewire.sec.pid": "12", "application.process.id": "99",
      ]),
    global(34, "Link", ["link.output.node": "31", "link.input.node": "32"]),
    global(40, "Device", ["device.api": "alsa", "api.alsa.card": "1"]),
    global(41, "Node", ["device.id": "40", "media.class": "Audio/Source"]),
    global(42, "Node", ["client.id": "43", "node.name": "stream"]),
    global(
      43, "Client",
      [
        "client.api": "pipewire-pulse", "pipewire.sec.pid": "900", "application.process.id": "77",
        "application.name": "parec",
      ]),
    global(44, "Link", ["link.output.node": "41", "link.input.node": "42"]),
    done[0], info(3, state: 3), info(4, state: 3), info(7, state: 2, ["alsa.device": "0"]), done[1],
  ]

  static func device(_ node: String, _ subsystem: String, _ name: String) -> DeviceFacts {
    DeviceFacts(node: node, sysfsPath: "/sys/x", subsystem: subsystem, kernelName: name)
  }

  static let camera = device("/dev/video0", "video4linux", "video0")
}

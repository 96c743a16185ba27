import AccessModel
import Foundation
import Testing

@Suite struct `The use of devices as JSON` {
  private var facts: UseFacts {
    var process = HoldingProcess(id: 4711, name: "cheese")
    process.startTicks = 1234
    process.started = 1_700_000_000
    process.user = 1000
    process.userName = "alice"
    process.executable = "/usr/bin/cheese"
    process.unit = "app-cheese.scope"
    process.container = "flatpak"
    process.containerName = "x"
    process.application = "org.gnome.Cheese"
    process.isOfSystem = false
    let hold = DeviceHold(
      descriptors: 2, access: .read, isMapped: true, activity: .streaming,
      streamingSince: 1_700_000_100)
    var device = DeviceFacts(
      node: "/dev/video0", sysfsPath: "/sys/x", subsystem: "video4linux", kernelName: "video0")
    device.isFed = true
    device.classify()
    var use = DeviceUse(
      node: "/dev/video0", kind: "camera", device: device,
      holders: [
        DeviceHolder(process, hold),
        DeviceHolder(
          HoldingProcess(id: 1, name: ""), DeviceHold(access: nil),
          clients: [
            MediaClient(name: "zoom", processID: 9, application: "us.zoom.Zoom"),
            MediaClient(name: "", isStreaming: false),
          ]),
      ], unnamedHolders: 1, isToldByDriver: true)
    use.idleUnnamedHolders = 1
    use.freeStreams = 2
    return UseFacts(
      devices: [use],
      unseen: UnseenProcesses(count: 3, reasons: Set(UnseenProcesses.Reason.allCases)),
      observedAt: 1_700_000_200)
  }

  @Test func `comes back as it was`() throws {
    let data = try JSONEncoder().encode(facts)
    #expect(try JSONDecoder().decode(UseFacts.self, from: data) == facts)
    let empty = UseFacts()
    #expect(
      try JSONDecoder().decode(UseFacts.self, from: JSONEncoder().encode(empty)) == empty)
  }

  @Test func `leaves out what is not known`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let holder = DeviceHolder(HoldingProcess(id: 1, name: "x"), DeviceHold(access: nil))
    let text = String(decoding: try encoder.encode(holder), as: UTF8.self)
    #expect(
      text == #"{"hold":{"descriptors":1,"mapped":false},"process":{"name":"x","pid":1}}"#)
  }

  @Test(arguments: [
    (#""access":"r""#, #""access":"q""#), (#""pid":4711"#, #""pid":47110000000"#),
    (#""refused""#, #""sulking""#), (#""streaming""#, #""dancing""#),
  ])
  func `refuses words that mean nothing`(old: String, new: String) throws {
    let text = String(decoding: try JSONEncoder().encode(facts), as: UTF8.self)
    let wrong = text.replacing(old, with: new)
    #expect(wrong != text)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(UseFacts.self, from: Data(wrong.utf8))
    }
  }
}

import Testing

@testable import LinuxDevices

@Suite struct `A value of PipeWire` {
  @Test(
    arguments: [
      [], [0, 0, 0, 0], [8, 0, 0, 0, 14, 0, 0, 0], [255, 255, 255, 255, 14, 0, 0, 0],
      [2, 0, 0, 0, 4, 0, 0, 0, 1, 2], [4, 0, 0, 0, 14, 0, 0, 0, 1, 2, 3, 4],
    ] as [[UInt8]])
  func `is not read from bytes that are none`(bytes: [UInt8]) {
    #expect(PipeWireValue(parsing: bytes) == nil)
  }

  @Test func `is not read from structures without end`() {
    var bytes: [UInt8] = []
    for level in 0..<30 { bytes += [UInt8(8 * (29 - level)), 0, 0, 0, 14, 0, 0, 0] }
    #expect(PipeWireValue(parsing: bytes) == nil)
    #expect(PipeWireMessage(parsing: [1, 2, 3]) == nil)
  }

  @Test func `is not mended by names that steer a terminal`() {
    let message = PipeWireMessage(2, 0, [.text("a\u{1B}[2J")])
    let read = PipeWireMessage(parsing: message.bytes(number: 1)[...])
    #expect(read?.arguments == [.text("a\u{FFFD}[2J")])
  }
}

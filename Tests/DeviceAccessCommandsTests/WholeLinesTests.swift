import Synchronization
import Testing

@testable import DeviceAccessCommands

@Suite struct `Lines that are written together` {
  private final class Writes: TextSink {
    let all = Mutex<[String]>([])

    var isTerminal: Bool { false }

    func write(_ text: String) throws(OutputError) { all.withLock { $0.append(text) } }
  }

  @Test func `are whole in each write, and none is lost`() throws {
    let writes = Writes()
    var lines = WholeLines(writes)
    try lines.write()
    let sizes = [1, 4095, 1, 4096, 5000, 2, 3, 4000, 96]
    let all = sizes.enumerated().map { number, size in
      String(repeating: "\(number)", count: size - 1) + "\n"
    }
    for line in all { try lines.add(line) }
    try lines.write()
    try lines.write()
    let written = writes.all.withLock { $0 }
    #expect(written.joined() == all.joined())
    #expect(written.map(\.utf8.count) == [4096, 1, 4096, 5000, 4005, 96])
    #expect(written.allSatisfy { $0.hasSuffix("\n") })
  }
}

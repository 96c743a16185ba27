import AccessModel
import LinuxTestSupport
import Synchronization
import Testing

@testable import DeviceAccessCommands

@Suite(.timeLimit(.minutes(5))) struct `Output that waits for its reader` {
  /// A sink that accepts a limited number of writes.
  private final class Gate: TextSink {
    let room: Mutex<Int>
    let writes = Mutex<[String]>([])
    let failure: OutputError?

    init(room: Int = 0, failure: OutputError? = nil) {
      self.room = Mutex(room)
      self.failure = failure
    }

    var isTerminal: Bool { false }
    var text: String { writes.withLock { $0.joined() } }

    func open() { room.withLock { $0 = .max } }

    func write(_ text: String) throws(OutputError) {
      if let failure { throw failure }
      room.withLock { $0 -= 1 }
      writes.withLock { $0.append(text) }
    }

    func waitForRoom() async {
      while !Task.isCancelled, room.withLock({ $0 <= 0 }) { await Task.yield() }
    }
  }

  @Test func `keeps the latest in their order, and tells how many lines were left out`()
    async throws
  {
    let gate = Gate()
    let losses = Mutex<[Int]>([])
    let sink = QueuedSink(gate)
    let all = (0..<QueuedSink.mostWaiting + 44).map { "\($0)\n\($0)\n" }
    for text in all { sink.write(text) }
    let task = Task { try await sink.run { count in losses.withLock { $0.append(count) } } }
    for _ in 0..<100 { await Task.yield() }
    #expect(gate.text == "")
    gate.open()
    let latest = all.suffix(QueuedSink.mostWaiting).joined()
    #expect(await eventually { gate.text == latest })
    sink.write("later\n")
    #expect(await eventually { gate.text == latest + "later\n" })
    task.cancel()
    try await task.value
    #expect(losses.withLock { $0 } == [88])
  }

  @Test func `writes a long text in parts, and cuts no character`() async throws {
    let gate = Gate(room: 1)
    let sink = QueuedSink(gate)
    let long = "x" + String(repeating: "📷é", count: 3000) + "\n"
    sink.write(long)
    let task = Task { try await sink.run { _ in } }
    #expect(await eventually { !gate.text.isEmpty })
    // Write one line more than the queue can hold.
    for _ in 0...QueuedSink.mostWaiting { sink.write("\n") }
    gate.open()
    let all = long + String(repeating: "\n", count: QueuedSink.mostWaiting)
    #expect(await eventually { gate.text == all })
    task.cancel()
    try await task.value
    let sizes = gate.writes.withLock { $0 }.map(\.utf8.count).prefix(5)
    #expect(sizes.allSatisfy { $0 <= QueuedSink.partLength } && sizes.first ?? 0 > 4090)
  }

  @Test func `ends when it is cancelled, and then writes what waits`() async throws {
    let gate = Gate()
    let sink = QueuedSink(gate)
    sink.write("first\n")
    let task = Task { try await sink.run { _ in } }
    task.cancel()
    try await task.value
    sink.write("second\n")
    #expect(gate.text == "")
    try sink.finish { _ in }
    #expect(gate.text == "first\nsecond\n")
  }

  @Test func `ends when it fails`() async throws {
    let gate = Gate(failure: .failed(.noSpace))
    gate.open()
    let sink = QueuedSink(gate)
    sink.write("lost\n")
    await #expect(throws: OutputError.failed(.noSpace)) { try await sink.run { _ in } }
  }

  @Test func `loses nothing of what two threads write while it is taken`() async throws {
    let gate = Gate()
    gate.open()
    let losses = Mutex(0)
    let sink = QueuedSink(gate)
    let task = Task { try await sink.run { count in losses.withLock { $0 += count } } }
    let count = 5000
    await withTaskGroup { group in
      for writer in ["a", "b"] {
        group.addTask {
          for number in 0..<count {
            sink.write("\(writer)\(number)\n")
            if number.isMultiple(of: 8) { await Task.yield() }
          }
        }
      }
    }
    sink.write("end\n")
    #expect(await eventually { gate.text.hasSuffix("end\n") })
    task.cancel()
    try await task.value
    let lines = gate.text.split(separator: "\n").dropLast()
    #expect(lines.count + losses.withLock { $0 } == 2 * count)
    for writer in ["a", "b"] {
      let numbers = lines.filter { $0.hasPrefix(writer) }.compactMap { Int($0.dropFirst()) }
      #expect(numbers == numbers.sorted())
    }
  }
}

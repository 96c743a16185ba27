import AccessModel
import LinuxTestSupport
import Synchronization
import Testing

@testable import DeviceAccessCommands

@Suite(.timeLimit(.minutes(5))) struct `Output that waits for its reader` {
  /// A sink without room until it is opened.
  private final class Gate: TextSink {
    let written = RecordingSink()
    let isOpen = Mutex(false)
    let failure: OutputError?

    init(failure: OutputError? = nil) { self.failure = failure }

    var isTerminal: Bool { false }

    func write(_ text: String) throws(OutputError) {
      if let failure { throw failure }
      try written.write(text)
    }

    func waitForRoom() async {
      while !Task.isCancelled, !isOpen.withLock({ $0 }) { await Task.yield() }
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
    #expect(gate.written.text == "")
    gate.isOpen.withLock { $0 = true }
    let latest = all.suffix(QueuedSink.mostWaiting).joined()
    #expect(await eventually { gate.written.text == latest })
    sink.write("later\n")
    #expect(await eventually { gate.written.text == latest + "later\n" })
    task.cancel()
    try await task.value
    #expect(losses.withLock { $0 } == [88])
  }

  @Test func `ends when it is cancelled, and then writes what waits`() async throws {
    let gate = Gate()
    let sink = QueuedSink(gate)
    sink.write("first\n")
    let task = Task { try await sink.run { _ in } }
    task.cancel()
    try await task.value
    sink.write("second\n")
    #expect(gate.written.text == "")
    try sink.finish { _ in }
    #expect(gate.written.text == "first\nsecond\n")
  }

  @Test func `ends when it fails`() async throws {
    let gate = Gate(failure: .failed(.noSpace))
    gate.isOpen.withLock { $0 = true }
    let sink = QueuedSink(gate)
    sink.write("lost\n")
    await #expect(throws: OutputError.failed(.noSpace)) { try await sink.run { _ in } }
  }

  @Test func `loses nothing of what two threads write while it is taken`() async throws {
    let gate = Gate()
    gate.isOpen.withLock { $0 = true }
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
    #expect(await eventually { gate.written.text.hasSuffix("end\n") })
    task.cancel()
    try await task.value
    let lines = gate.written.text.split(separator: "\n").dropLast()
    #expect(lines.count + losses.withLock { $0 } == 2 * count)
    for writer in ["a", "b"] {
      let numbers = lines.filter { $0.hasPrefix(writer) }.compactMap { Int($0.dropFirst()) }
      #expect(numbers == numbers.sorted())
    }
  }
}

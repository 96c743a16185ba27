import DeviceAccessCommands
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import Testing

/// Runs commands that watch a machine that the test provides.
enum WatchRun {
  /// The output, errors and exit status.
  struct Result {
    var lines: [String]
    var errors: String
    var status: DeviceAccessCommands.ExitStatus
  }

  /// Runs a command and takes a step after each line.
  ///
  /// It ends the command after the line that follows the last step.
  static func lines(
    _ arguments: [String], on machine: InMemoryMachine, _ steps: [(InMemoryMachine) -> Void]
  ) async throws -> Result {
    let (ending, end) = AsyncStream.makeStream(of: Void.self)
    let sink = LineSink()
    let errors = RecordingSink()
    let program = DeviceAccessProgram(
      environment: ["LANG": "C.UTF-8"], input: -1, output: sink, errors: errors,
      ending: { _ in ending })
    let task = Task {
      await withContractors {
        $0.devices = DeviceService(machine: machine)
        $0.deviceUsage = DeviceUsageService(machine: machine)
      } operation: {
        await program.run(arguments)
      }
    }
    var all: [String] = []
    var written = sink.lines.makeAsyncIterator()
    for step in steps {
      all.append(try #require(await written.next()))
      step(machine)
    }
    all.append(try #require(await written.next()))
    end.yield()
    let status = await task.value
    return Result(lines: all, errors: errors.text, status: status)
  }
}

/// A sink that delivers lines one by one, even if several are written together.
private struct LineSink: TextSink {
  let lines: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() { (lines, continuation) = AsyncStream.makeStream(of: String.self) }

  var isTerminal: Bool { false }

  func write(_ text: String) throws(OutputError) {
    for line in text.split(separator: "\n") { continuation.yield("\(line)\n") }
  }
}

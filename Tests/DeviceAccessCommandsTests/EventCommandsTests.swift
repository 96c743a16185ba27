import LinuxTestSupport
import Testing

@testable import DeviceAccessCommands

@Suite(.timeLimit(.minutes(5))) struct `Commands for events` {
  @Test func `of a storm are told to be too slow once, and how many were left out`() async throws {
    let errors = RecordingSink()
    let commands = EventCommands(
      "exit 0", outputApart: false,
      StandardStreams(input: 0, output: RecordingSink(), errors: errors))
    let event = try WatchedEvent(for: [], text: "", json: "", variables: [:])
    for _ in 0..<(EventCommands.mostWaiting + 44) { commands.add(event) }
    #expect(
      errors.text == "devaccess: the command of --exec is too slow: old events are left out\n")
    let task = Task { await commands.run() }
    #expect(await eventually { errors.text.contains("it was not run for 44 events\n") })
    // What comes now is run for, and nothing is told of it.
    commands.add(event)
    task.cancel()
    await task.value
    #expect(errors.text.split(separator: "\n").filter { $0.contains("too slow") }.count == 2)
  }
}

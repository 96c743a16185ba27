import Foundation
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
      errors.text == "devaccess: the --exec command is too slow: old events are dropped\n")
    let task = Task { await commands.run() }
    #expect(await eventually { errors.text.contains("it was not run for 44 events\n") })
    // The command runs for a new event, without another message.
    commands.add(event)
    task.cancel()
    await task.value
    #expect(errors.text.split(separator: "\n").filter { $0.contains("too slow") }.count == 2)
  }

  @Test(arguments: [true, false])
  func `tell once that events wait for one that takes long`(comesBefore: Bool) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    let errors = RecordingSink()
    let commands = EventCommands(
      "echo >>\(path)/run; until test -e \(path)/end; do sleep 0.01; done",
      outputApart: false, StandardStreams(input: 0, output: RecordingSink(), errors: errors),
      patience: .milliseconds(200))
    let event = try WatchedEvent(for: [], text: "", json: "", variables: [:])
    commands.add(event)
    let task = Task { await commands.run() }
    let reported = "devaccess: the --exec command is slow: other events wait for it\n"
    if comesBefore {
      commands.add(event)
    } else {
      try await Task.sleep(for: .milliseconds(500))
      #expect(errors.text == "")
    }
    commands.add(event)
    #expect(await eventually { errors.text == reported })
    commands.add(event)
    #expect(errors.text == reported)
    try directory.file("end")
    #expect(
      await eventually {
        FileManager.default.contents(atPath: "\(path)/run")?.count == (comesBefore ? 4 : 3)
      })
    task.cancel()
    await task.value
    // The other commands ended quickly.
    #expect(errors.text == reported)
  }
}

import AccessModel
import DevicePermissionsTesting
import JSONReading
import JSONText
import LegoKit
import Testing

@testable import DeviceAccessCommands

@Suite struct `The manual` {
  @Test(arguments: CommandName.allCases)
  func `has a page for each command, which explains its options and no others`(
    command: CommandName
  ) throws {
    let page = try ManualPage(command)
    let declaration = command.command.declaration
    #expect(page.summary == declaration.summary)
    for option in declaration.options {
      // For many options, the pages refer to devaccess(1) and only mention the letter.
      #expect(!page.options.isDisjoint(with: Self.spellings([option])), "--\(option.rawValue)")
    }
    #expect(page.options.isSubset(of: Self.spellings(declaration.options)))
    let headings = page.headings
    #expect(
      Array(headings.prefix(5))
        == ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "EXAMPLES"])
    #expect(headings.contains("OPTIONS") && headings.last == "SEE ALSO")
    #expect(page.section("DESCRIPTION").count { $0 == ".Pp" } <= 1, "three paragraphs")
    #expect(!page.examples.isEmpty)
  }

  private static func spellings(_ options: [OptionName]) -> Set<String> {
    options.reduce(into: []) { spellings, option in
      spellings.insert("--\(option.rawValue)")
      if let letter = option.letter { spellings.insert("-\(letter)") }
    }
  }

  @Test func `lists the commands, kinds and common options on the first page`() throws {
    let page = try ManualPage("devaccess.1")
    for command in CommandName.allCases {
      let summary = command.command.declaration.summary
      let sentence = summary.prefix(1).uppercased() + summary.dropFirst() + "."
      #expect(page.text.contains(".It Cm \(command.rawValue)\n\(sentence)\n"))
    }
    for kind in DeviceKind.all { #expect(page.text.contains(".Cm \(kind.name)")) }
    #expect(
      page.options
        == Self.spellings(
          OptionName.accessOptions + OptionName.subjectOptions + [.json] + OptionName.common))
    for status in [ExitStatus.allowed, .refused, .undetermined, .absent, .usage, .internalError] {
      #expect(page.section("EXIT STATUS").contains(".It \(status.rawValue)"))
    }
    for name in DeviceAccessProgram.environmentNames {
      #expect(page.text.contains(".Ev \(name)"))
    }
  }

  @Test func `defines every status, answer and certainty`() throws {
    let page = try ManualPage("devaccess-answers.7")
    let words =
      PermissionStatus.allCases.map(\.rawValue) + Answer.allCases.map(\.rawValue)
      + Certainty.allCases.map(\.rawValue)
    for word in words { #expect(page.text.contains(".It Sy \(word)\n"), "\(word)") }
  }

  /// The commands that do not end or that show a screen.
  private static let lasting: [CommandName] = [.watch, .top]

  @Test(arguments: ManualPage.all)
  func `shows examples that work`(name: String) async throws {
    let snapshot = try TemporaryFile(JSONWriter.encode(Samples.facts))
    let cases = try TemporaryFile(`Deciding cases`.good + "\n")
    // The machine does not change, so waiting would only take time.
    let replacements = [
      "snapshot.json": snapshot.path, "cases.jsonl": cases.path, "--wait=30": "--wait=0",
    ]
    for example in try ManualPage(name).examples {
      guard let words = example.arguments else {
        #expect(["systemctl", "journalctl"].contains { example.line.hasPrefix($0) })
        continue
      }
      let arguments = words.map { replacements[$0] ?? $0 }
      guard case .run(let command) = try Invocation(arguments).action else {
        Issue.record("\(example.line) runs no command")
        continue
      }
      let becomes = (command as? RequestCommand)?.program.isEmpty == false
      if becomes || Self.lasting.contains(command.name) { continue }
      let result = await CommandResult.run(
        arguments, on: Self.machine(running: example.isPrivileged ? "root" : "alice"))
      #expect(
        ![ExitStatus.usage, .internalError].contains(result.status),
        "\(example.line): \(result.errors)")
      if let output = example.output {
        #expect(result.output == output.map { $0 + "\n" }.joined())
      }
      for path in example.members {
        let json = try ParsedJSON(parsing: Array(result.output.utf8))
        #expect(Self.value(in: json, at: path) != nil, "\(path) in \(example.line)")
      }
    }
  }

  private static func value(in json: ParsedJSON, at path: [String]) -> ParsedJSON? {
    path.reduce(json) { value, key in
      if case .array(let values) = value { return Int(key).flatMap { values[$0] } }
      return value?.members?[key]
    }
  }

  /// The machine of the examples, with bob at its screen and alice logged in remotely.
  private static func machine(running user: String) -> InMemoryMachine {
    Machines.laptop(running: user) { machine in
      machine.addUser("motion", id: 998)
      machine.addMicrophone()
      var port = DeviceFacts(
        node: "/dev/ttyUSB0", sysfsPath: "/sys/devices/usb1/1-2/ttyUSB0/tty/ttyUSB0",
        subsystem: "tty", kernelName: "ttyUSB0")
      port.number = DeviceNumber(major: 188, minor: 0)
      machine.addDevice(port)
    }
  }
}

import AccessModel
import Testing

@testable import DeviceAccessCommands

@Suite struct `Documentation` {
  @Test func `the manual names every command, option, kind and status`() throws {
    let manual = try Repository.read("Documentation/devaccess.1")
    for command in Command.allCases { #expect(manual.contains(".It Cm \(command.rawValue)")) }
    for option in OptionName.allCases {
      let letter = option.letter.map { "\($0) , " } ?? ""
      #expect(manual.contains(".It Fl \(letter)\\-\(option.rawValue)"), "--\(option.rawValue)")
    }
    for kind in DeviceKind.all { #expect(manual.contains("Cm \(kind.name)")) }
    for status in PermissionStatus.allCases { #expect(manual.contains(".Sy \(status.rawValue)")) }
    for status in [ExitStatus.allowed, .refused, .undetermined, .absent, .usage, .internalError] {
      #expect(manual.contains(".It \(status.rawValue)\n"))
    }
    for name in DeviceAccessProgram.environmentNames { #expect(manual.contains(name)) }
  }

  @Test func `the installed completion is the one that the command prints`() throws {
    #expect(try Repository.read("Completions/devaccess.bash") == CompletionScript.bash)
  }

  @Test func `the completion names every command, option and kind`() {
    for word in Command.allCases.map(\.rawValue) + OptionName.allCases.map({ "--\($0.rawValue)" })
      + DeviceKind.all.map(\.name)
    {
      #expect(CompletionScript.bash.contains(word))
    }
  }

  @Test func `the general help names every command and kind`() async {
    let help = await CommandResult.run(["--help"])
    for word in Command.allCases.map(\.rawValue) + DeviceKind.all.map(\.name) {
      #expect(help.output.contains(word))
    }
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }
}

import AccessModel
import Testing

@testable import DeviceAccessCommands

@Suite struct `Documentation` {
  @Test func `the installed completion is the one that the command prints`() throws {
    for shell in Shell.allCases {
      let installed = try Repository.read("Completions/devaccess.\(shell.rawValue)")
      #expect(installed == CompletionScript(commands: CommandName.declarations).text(for: shell))
    }
  }

  @Test(arguments: Shell.allCases)
  func `the completions name every command, option and kind`(shell: Shell) {
    let dashes = shell == .fish ? "-l " : "--"
    for word in CommandName.allCases.map(\.rawValue) + DeviceKind.all.map(\.name)
      + OptionName.allCases.map({ dashes + $0.rawValue })
    {
      #expect(CompletionScript(commands: CommandName.declarations).text(for: shell).contains(word))
    }
  }

  @Test func `the general help names every command and kind`() async {
    let help = await CommandResult.run(["--help"])
    for word in CommandName.allCases.map(\.rawValue) + DeviceKind.all.map(\.name) {
      #expect(help.output.contains(word))
    }
  }

  @Test(arguments: [40, 80, 120])
  func `every help fits the terminal`(columns: Int) async {
    for arguments in [["--help"]] + CommandName.allCases.map({ [$0.rawValue, "--help"] }) {
      let help = await CommandResult.run(
        arguments, environment: ["LANG": "C.UTF-8", "COLUMNS": String(columns)])
      for line in help.output.split(separator: "\n") where line.count > columns {
        // Examples and options are not wrapped.
        #expect(columns < 80, "\(line)")
      }
    }
  }
}

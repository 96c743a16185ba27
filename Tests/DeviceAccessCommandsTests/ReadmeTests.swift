import Testing

/// Runs the transcripts in the README and in the shell guide.
///
/// `Scripts/examples` builds and runs their programs.
@Suite struct `The README and the guide` {
  private static let pages = [
    "README.md", "Sources/Command/DeviceAccessCommands/DeviceAccessCommands.docc/AtAShell.md",
  ]

  private struct Block {
    var language: Substring
    var lines: [Substring]
  }

  private func blocks(of page: String) throws -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    for line in try Repository.read(page).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("```") {
        if let block = open {
          blocks.append(block)
          open = nil
        } else {
          open = Block(language: line.dropFirst(3), lines: [])
        }
      } else {
        open?.lines.append(line)
      }
    }
    return blocks
  }

  /// Returns the commands of a transcript, each with its output.
  private func commands(in transcript: Block) throws -> [(words: [String], output: [Substring])] {
    var commands: [(words: [String], output: [Substring])] = []
    for line in transcript.lines {
      if line.hasPrefix("$ ") {
        try #require(line.hasPrefix("$ devaccess "))
        let words = line.dropFirst("$ devaccess ".count).split(separator: " ").map(String.init)
        commands.append((words, []))
      } else {
        try #require(!commands.isEmpty)
        commands[commands.count - 1].output.append(line)
      }
    }
    return commands
  }

  @Test(arguments: pages) func `have transcripts of what the commands print`(page: String)
    async throws
  {
    let commands = try blocks(of: page).filter { $0.language == "console" }.flatMap(commands(in:))
    #expect(commands.count >= 5)
    for command in commands {
      let result = await CommandResult.run(command.words)
      let printed = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast()
      #expect(Array(printed) == command.output, "\(command.words)")
    }
  }
}

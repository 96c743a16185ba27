import Testing

/// The README is what the product does: its transcripts are run here, and `Scripts/examples` builds
/// and runs its programs.
@Suite struct `The README` {
  private struct Block {
    var language: Substring
    var lines: [Substring]
  }

  private func blocks() throws -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    for line in try Repository.read("README.md").split(
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

  @Test func `every transcript is what the command prints`() async throws {
    let transcripts = try blocks().filter { $0.language == "console" }
    #expect(!transcripts.isEmpty)
    for transcript in transcripts {
      let command = try #require(transcript.lines.first)
      #expect(command.hasPrefix("$ devaccess "))
      let arguments = command.dropFirst("$ devaccess ".count).split(separator: " ").map(String.init)
      let result = await CommandResult.run(arguments)
      let printed = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast()
      #expect(Array(printed) == Array(transcript.lines.dropFirst()))
    }
  }
}

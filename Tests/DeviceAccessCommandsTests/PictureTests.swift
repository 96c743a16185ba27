import Testing

@Suite(
  .timeLimit(.minutes(3)),
  .enabled(if: Product.path != nil, "devaccess is not beside the test bundle"),
  .enabled(if: TerminalSession.isPossible, "tmux is not installed"))
struct `The pictures in the README` {
  @Test func `show what the command prints`() throws {
    let script = Repository.path("Scripts/pictures")
    let result = try Product.run("'\(script)' --check --program \"$devaccess\"")
    #expect(result.errors == "")
    #expect(result.status == 0)
  }
}

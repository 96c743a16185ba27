import Testing
import UdevRules

@Suite struct FileChoiceTests {
  private func file(_ folder: Int, _ name: String, isEmpty: Bool = false)
    -> UdevRuleFileChoice.Candidate
  {
    .init(folder: UdevRuleFileChoice.folders[folder], name: name, isEmpty: isEmpty)
  }

  @Test func `files are sorted by name, whatever their folder`() {
    let choice = UdevRuleFileChoice([
      file(0, "90-z.rules"), file(0, "10-b.rules"), file(3, "10-B.rules"), file(3, "9-a.rules"),
    ])
    #expect(choice.read.map(\.name) == ["10-B.rules", "10-b.rules", "9-a.rules", "90-z.rules"])
    #expect(choice.excluded.isEmpty)
  }

  @Test func `the first folder wins, and an empty file hides the others`() {
    let choice = UdevRuleFileChoice([
      file(0, "a.rules"), file(0, "m.rules", isEmpty: true), file(0, "README"), file(1, "x.rules~"),
      file(3, "a.rules"), file(3, "m.rules"), file(3, "c.rules"),
    ])
    #expect(
      choice.read.map(\.path) == [
        "/etc/udev/rules.d/a.rules", "/usr/lib/udev/rules.d/c.rules",
      ])
    #expect(
      choice.excluded.map(\.reason) == [
        .empty, .suffix, .suffix, .replaced(by: "/etc/udev/rules.d/a.rules"),
        .masked(by: "/etc/udev/rules.d/m.rules"),
      ])
  }
}

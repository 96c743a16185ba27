import LegoKit
import LegoTesting
import RaceRounds
import Testing

@Suite struct `A field of a form` {
  private typealias Field = FieldRules<String, SignUp.Issue>

  private static let name = Feature<Field>.field { $0.isEmpty ? .missing : nil }

  /// A field whose values a service is asked about; it knows that "ann" is taken.
  private static func asked(_ questions: Collected<String> = Collected()) -> Feature<Field> {
    .field(
      issue: { $0.isEmpty ? .missing : nil }, after: .seconds(1),
      ask: { value in
        questions.append(value)
        return value == "ann" ? .taken : nil
      })
  }

  @Test func `is checked as it is entered, and shows its issue once it was touched`() {
    let lego = Lego(.init(""), feature: Self.name)
    #expect(lego.design.check == .unchecked)
    lego.build(.enter("a"))
    #expect(lego.design.check == .valid)
    lego.build(.enter(""))
    #expect(lego.design.issue == .missing)
    #expect(lego.design.shownIssue == nil)
    lego.build(.touch)
    #expect(lego.design.shownIssue == .missing)
    lego.build(.enter("b"))
    #expect(lego.design.shownIssue == nil)
  }

  @Test func `that is left empty is wrong`() {
    let lego = Lego(.init(""), feature: Self.name)
    lego.build(.touch)
    #expect(lego.design.shownIssue == .missing)
  }

  @Test func `is valid once the service has answered, which is asked about the newest value`()
    async
  {
    let questions = Collected<String>()
    let lego = TestLego(.init(""), feature: Self.asked(questions), exhaustivity: .none)
    lego.build(.enter("a"))
    await lego.clock.waitForSleepers()
    await lego.clock.advance(by: .milliseconds(900))
    lego.build(.enter("bob"))
    await lego.clock.waitForSleepers()
    await lego.clock.advance(by: .milliseconds(900))
    #expect(lego.design.check == .checking)
    #expect(questions.values.isEmpty)
    await lego.clock.advance(by: .milliseconds(100))
    await lego.receive(.answer("bob", nil))
    #expect(lego.design.check == .valid)
    #expect(questions.values == ["bob"])
    await lego.finish()
  }

  @Test func `asks no service about a value that the rule refuses`() async {
    let lego = TestLego(.init("ann"), feature: Self.asked(), exhaustivity: .none)
    lego.build(.touch)
    #expect(lego.design.check == .checking)
    lego.build(.enter(""))
    #expect(lego.design.issue == .missing)
    #expect(lego.effectCount == 0)
    await lego.finish()
  }

  @Test func `is asked about again when it is refreshed`() async {
    let questions = Collected<String>()
    let lego = TestLego(.init("ann"), feature: Self.asked(questions), exhaustivity: .none)
    for change in [Field.Change.touch, .refresh] {
      lego.build(change)
      await lego.clock.waitForSleepers()
      await lego.clock.advance(by: .seconds(1))
      await lego.receive(.answer("ann", .taken))
      #expect(lego.design.shownIssue == .taken)
    }
    #expect(questions.values == ["ann", "ann"])
    await lego.finish()
  }

  @Test func `takes no answer to another value, and none when it does not wait for one`() {
    let lego = Lego(FormField<String, SignUp.Issue>("ann"), blueprint: Self.asked().blueprint)
    lego.build(.answer("ann", .taken))
    #expect(lego.design.check == .unchecked)
    lego.build(.enter("bob"))
    lego.build(.answer("ann", .taken))
    #expect(lego.design.check == .checking)
    lego.build(.answer("bob", nil))
    lego.build(.answer("bob", .taken))
    #expect(lego.design.check == .valid)
  }

  @Test func `keeps its answer when the same value is entered again`() {
    let lego = Lego(FormField<String, SignUp.Issue>(""), blueprint: Self.asked().blueprint)
    lego.build(.enter("bob"))
    lego.build(.answer("bob", nil))
    lego.build(.enter("bob"))
    #expect(lego.design.check == .valid)
  }

  /// Whatever is entered meanwhile, the answer that stands is that to the value that stands.
  @Test func `agrees with the newest value, with two threads`() async {
    await withContractors {
      $0.clock = ContinuousClock()
    } operation: {
      for round in 0..<raceRounds(200) {
        let field = Feature<Field>.field(after: .zero) { value in
          await Task.yield()
          return value.hasSuffix("0") ? .taken : nil
        }
        let lego = Lego(.init(""), feature: field)
        await withTaskGroup { group in
          for task in 0..<2 {
            group.addTask { for step in 0..<5 { lego.build(.enter("\(task)\(round)\(step)")) } }
          }
        }
        let settled = await lego.designs.first { $0.check == .valid || $0.check == .invalid }
        // It is the answer to the last value: an older one would make this another.
        let value = lego.design.value
        #expect(settled?.value == value)
        #expect(lego.design.issue == (value.hasSuffix("0") ? .taken : nil))
      }
    }
  }
}

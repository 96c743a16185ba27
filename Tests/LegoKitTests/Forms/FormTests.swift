import LegoKit
import LegoTesting
import Testing

@Suite struct `A form` {
  private typealias Account = SignUp.Account

  @Test func `is refused while a field is not valid, and shows every issue`() {
    let lego = Lego(.init(), feature: SignUp.feature())
    lego.build(.submit)
    #expect(lego.design.submission == .refused)
    #expect(lego.design.name.shownIssue == .missing)
    #expect(lego.design.email.shownIssue == .missing)
  }

  @Test func `that was refused is not sent because it becomes valid`() async {
    let sent = Collected<Account>()
    let lego = TestLego(
      .init(),
      feature: SignUp.feature { account in
        sent.append(account)
        return nil
      }, exhaustivity: .none)
    lego.build(.submit)
    lego.build(.name(.enter("Ann")))
    lego.build(.email(.enter("a@b")))
    await lego.clock.waitForSleepers()
    await lego.clock.advance(by: .seconds(1))
    await lego.receive(.email(.answer("a@b", nil)))
    #expect(lego.design.submission == .refused)
    #expect(sent.values.isEmpty)
    await lego.finish()
  }

  @Test func `waits for the check of a field, is sent as it was then, and says how that went`()
    async
  {
    let gate = Gate()
    let lego = TestLego(
      .init(),
      feature: SignUp.feature { account in
        await gate.pass()
        return account == Account(name: "Ann", email: "a@b") ? "no room" : "another account"
      }, exhaustivity: .none)
    lego.build(.name(.enter("Ann")))
    lego.build(.email(.enter("a@b")))
    lego.build(.submit)
    #expect(lego.design.submission == .waiting)
    await lego.clock.waitForSleepers()
    await lego.clock.advance(by: .seconds(1))
    await lego.receive(.email(.answer("a@b", nil)))
    #expect(lego.design.submission.request == Account(name: "Ann", email: "a@b"))
    lego.build(.name(.enter("Eve")))
    lego.build(.submit)
    #expect(lego.design.submission.request?.name == "Ann")
    gate.open()
    await lego.receive(.finish("no room"))
    #expect(lego.design.submission == .failed("no room"))
    await lego.finish()
  }

  @Test func `is sent again after a failure`() async {
    let attempts = Collected<Account>()
    let lego = Lego(
      .init(),
      feature: SignUp.feature { account in
        attempts.append(account)
        return attempts.values.count == 1 ? "no room" : nil
      })
    lego.build(.name(.enter("Ann")))
    lego.build(.email(.enter("a@b")))
    lego.build(.email(.answer("a@b", nil)))
    for outcome in [Submission<Account, String>.failed("no room"), .sent] {
      lego.build(.submit)
      let settled = await lego.observe(\.submission).first { $0.isSettled }
      #expect(settled == outcome)
    }
    #expect(attempts.values.count == 2)
  }

  @Test func `that is given up is not sent`() async {
    let lego = TestLego(
      .init(),
      feature: SignUp.feature { _ in
        try? await Task.sleep(for: .seconds(3_600))
        return nil
      }, exhaustivity: .none)
    lego.build(.name(.enter("Ann")))
    lego.build(.email(.enter("a@b")))
    lego.build(.email(.answer("a@b", nil)))
    lego.build(.submit)
    #expect(lego.design.submission.request != nil)
    lego.build(.giveUp)
    #expect(lego.design.submission == .idle)
    #expect(lego.effectCount == 0)
    lego.build(.finish(nil))
    #expect(lego.design.submission == .idle)
    await lego.finish()
  }

  @Test func `touches the field that the focus leaves`() {
    let lego = Lego(.init(), feature: SignUp.feature())
    lego.build(.tab)
    #expect(!lego.design.name.isTouched)
    lego.build(.tab)
    #expect(lego.design.focus.field == .email)
    #expect(lego.design.name.shownIssue == .missing)
    #expect(!lego.design.email.isTouched)
  }

  @Test func `is written through its glue`() {
    let lego = Lego(.init(), feature: SignUp.feature())
    let name = lego.glue(field: \.name, change: SignUp.Change.name)
    name.wrappedValue = "Ann"
    #expect(name.wrappedValue == "Ann")
    #expect(lego.design.name.check == .valid)
    let scoped = lego.scope(\.self, change: { $0 }).glue(field: \.name, change: SignUp.Change.name)
    scoped.wrappedValue = ""
    #expect(lego.design.name.issue == .missing)
  }
}

@Suite struct `The focus of a form` {
  @Test func `goes round, both ways`() {
    var focus = FormFocus(["a", "b", "c"])
    #expect(focus.next() == nil)
    #expect(focus.field == "a")
    #expect(focus.previous() == "a")
    #expect(focus.field == "c")
    #expect(focus.next() == "c")
    #expect(focus.field == "a")
    #expect(focus.move(to: nil) == "a")
    #expect(focus.previous() == nil)
    #expect(focus.field == "c")
  }

  @Test func `stays where it is when a field is unknown or has it already`() {
    var focus = FormFocus(["a", "b"], on: "b")
    #expect(focus.move(to: "z") == nil)
    #expect(focus.move(to: "b") == nil)
    #expect(focus.field == "b")
    #expect(FormFocus(["a"], on: "z").field == nil)
  }

  @Test func `of a form without fields is on none`() {
    var focus = FormFocus<String>([])
    #expect(focus.next() == nil)
    #expect(focus.previous() == nil)
    #expect(focus.field == nil)
  }
}

import LegoKit
import LegoTesting
import Testing

@testable import sign_up

@Suite struct `The form to sign up` {
  private static func store(
    isTaken: @escaping @Sendable (String) async -> Bool = { $0 == "ann" },
    create: @escaping @Sendable (Account) async -> String? = { _ in nil }
  ) -> TestLego<WizardBlueprint> {
    withContractors {
      $0.accounts = AccountsService(isTaken: isTaken, create: create)
    } operation: {
      TestLego(.init(), feature: .wizard, exhaustivity: .none)
    }
  }

  /// Types keys, as a terminal would.
  private static func type(_ text: String, in lego: TestLego<WizardBlueprint>) {
    for character in text { press(.character(character), in: lego) }
  }

  private static func press(_ key: WizardKey, in lego: TestLego<WizardBlueprint>) {
    if let change = key.change(lego.design) { lego.build(change) }
  }

  private static func text(of lego: TestLego<WizardBlueprint>) -> [String] {
    WizardText(design: lego.design).lines.map(\.text)
  }

  /// Fills in the first step, and goes on.
  private static func begin(_ lego: TestLego<WizardBlueprint>) {
    type("Ann Example", in: lego)
    press(.next, in: lego)
    type("ann@example.org", in: lego)
    press(.enter, in: lego)
  }

  @Test func `goes on only when the step is valid, and says what is wrong`() async {
    let lego = Self.store()
    Self.press(.enter, in: lego)
    await lego.receive(.name(.answer("", .missing)))
    lego.skipReceived()
    #expect(lego.design.path.isEmpty)
    #expect(
      Self.text(of: lego) == [
        "Sign up, step 1 of 3", "", "> Name      ", "            This is needed.",
        "  Address   ", "            An address has a name, an @ and a host.", "", "", "",
        "Tab: next field  Enter: go on  Escape: leave",
      ])
    Self.begin(lego)
    #expect(lego.design.path.top == .login)
    #expect(lego.design.focus.field == .login)
  }

  @Test func `waits for the check of the login, which the newest value wins`() async {
    let lego = Self.store()
    Self.begin(lego)
    Self.type("ann", in: lego)
    Self.press(.enter, in: lego)
    #expect(lego.design.path.top == .login)
    #expect(Self.text(of: lego).contains("Waiting for the checks…"))
    await lego.clock.waitForSleepers()
    await lego.clock.advance(by: .seconds(1))
    await lego.receive(.login(.answer("ann", .taken)))
    #expect(Self.text(of: lego).contains("            Somebody has this login."))
    #expect(lego.design.path.top == .login)
    Self.type("a", in: lego)
    Self.press(.enter, in: lego)
    await lego.clock.waitForSleepers()
    await lego.clock.advance(by: .seconds(1))
    await lego.receive(.login(.answer("anna", nil)))
    #expect(lego.design.path.top == .review)
  }

  @Test func `goes back without losing what was entered`() async {
    let lego = Self.store()
    Self.begin(lego)
    Self.type("bo", in: lego)
    Self.press(.escape, in: lego)
    #expect(lego.design.path.isEmpty)
    #expect(lego.design.focus.field == .name)
    Self.press(.backspace, in: lego)
    #expect(lego.design.name.value == "Ann Exampl")
    Self.press(.enter, in: lego)
    #expect(lego.design.login.value == "bo")
    #expect(lego.design.path.top == .login)
  }

  @Test func `does not go on by itself when the person went back`() async {
    let lego = Self.store()
    Self.begin(lego)
    Self.type("bob", in: lego)
    Self.press(.enter, in: lego)
    Self.press(.escape, in: lego)
    await lego.clock.waitForSleepers()
    await lego.clock.advance(by: .seconds(1))
    await lego.receive(.login(.answer("bob", nil)))
    #expect(lego.design.path.isEmpty)
  }

  @Test func `signs up with what was entered`() async {
    let lego = Self.store { _ in
      false
    } create: { account in
      #expect(account == Account(name: "Ann Example", address: "ann@example.org", login: "bob"))
      return account.login == "bob" ? "the disk is full" : nil
    }
    Self.begin(lego)
    Self.type("bob", in: lego)
    Self.press(.enter, in: lego)
    await lego.clock.waitForSleepers()
    await lego.clock.advance(by: .seconds(1))
    await lego.receive(.login(.answer("bob", nil)))
    Self.press(.enter, in: lego)
    await lego.receive(.finish("the disk is full"))
    #expect(Self.text(of: lego).contains("Not signed up: the disk is full"))
    Self.press(.escape, in: lego)
    #expect(lego.design.path.top == .login)
  }

  @Test func `takes no login that leads out of its folder`() {
    for login in ["..", "a/b", "../a", "A1", "1a", "a", "ab\u{301}", "abcdefghijklmnopq"] {
      let lego = Self.store()
      Self.begin(lego)
      Self.type(login, in: lego)
      #expect(lego.design.login.issue == .noLogin, "\(login)")
    }
  }
}

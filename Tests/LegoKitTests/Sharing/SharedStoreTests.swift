import LegoKit
import LegoTesting
import RaceRounds
import Testing

private struct Weak: Sendable {
  weak let object: (any AnyObject & Sendable)?

  init(_ object: any AnyObject & Sendable) {
    self.object = object
  }
}

@Suite struct `A store that others share` {
  @Test func `is followed by all of them`() async {
    await withContractors {
      $0.settings = Settings.lego()
    } operation: {
      let settings = Contractors().settings
      let stores = (0..<3).map { _ in
        Lego(.init(), blueprint: Settings(), adaptors: [ThemeFollower(\.settings)])
      }
      settings.build(.theme("dark"))
      for store in stores {
        #expect(await store.observe(\.followed).first { $0 == "dark" } == "dark")
      }
    }
  }

  @Test func `is written by an effect`() async {
    await withContractors {
      $0.settings = Settings.lego()
    } operation: {
      let writing = Answering<Counter> { _, change in
        change == .nothing ? .build(Settings.Change.theme("blue"), on: \.settings) : .none
      }
      let lego = Lego(.init(), blueprint: Counter(), adaptors: [writing])
      await lego.build(.nothing).finished()
      #expect(Contractors().settings.design.theme == "blue")
    }
  }

  /// The first use of one makes it, and it follows the other, whose first use that is.
  @Test func `may follow one that follows it`() async {
    let (one, other) = (Contractors().mirror, Contractors().otherMirror)
    for round in 0..<raceRounds(100) {
      let (theme, later) = ("\(round) one", "\(round) other")
      one.build(.theme(theme))
      #expect(await other.observe(\.followed).first { $0 == theme } == theme)
      other.build(.theme(later))
      #expect(await one.observe(\.followed).first { $0 == later } == later)
    }
  }

  @Test(.timeLimit(.minutes(5))) func `is kept by none that follows it, and keeps none`() async {
    let (settings, follower) = await withContractors {
      $0.settings = Settings.lego()
    } operation: {
      let settings = Contractors().settings
      let lego = Lego(.init(), blueprint: Settings(), adaptors: [ThemeFollower(\.settings)])
      settings.build(.theme("dark"))
      _ = await lego.observe(\.followed).first { $0 == "dark" }
      return (Weak(settings), Weak(lego))
    }
    // The task of the follow lets go a moment after its store.
    while settings.object != nil || follower.object != nil { await Task.yield() }
  }

  @Test func `is followed under test as a change to be received`() async {
    await withContractors {
      $0.settings = Settings.lego()
    } operation: {
      let lego = TestLego(.init(), blueprint: Settings(), adaptors: [ThemeFollower(\.settings)])
      await lego.receive(.followed("light")) { $0.followed = "light" }
      Contractors().settings.build(.theme("dark"))
      await lego.receive(.followed("dark")) { $0.followed = "dark" }
      lego.endFollows()
      await lego.finish()
    }
  }
}

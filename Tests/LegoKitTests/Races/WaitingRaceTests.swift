import LegoKit
import Testing

@Suite struct `Waiting under races` {
  /// Who begins to wait while the last of the others is let go on must not be forgotten.
  @Test(.timeLimit(.minutes(10)))
  func `ends with each build, however many wait`() async {
    let builds = 1_500_000
    let lego = Lego(.init(), blueprint: Counter())
    let token = lego.onDesignChange { _ in }
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<builds { await lego.build(.add(1)).finished() } }
      }
    }
    #expect(lego.design.count == 4 * builds)
    withExtendedLifetime(token) {}
  }
}

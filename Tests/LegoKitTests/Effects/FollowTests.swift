import LegoKit
import Synchronization
import Testing

@Suite struct `An effect that follows from the design` {
  final class Follows: Adaptor<Counter> {
    let log: Collected<String>

    init(_ log: Collected<String>) {
      self.log = log
    }

    override var follows: [Follow<Counter>] {
      [
        Follow(\.label) { [log] label in
          if label.isEmpty { return .none }
          return .run { _ in
            log.append("start \(label)")
            await Gate().pass()
            log.append("stop \(label)")
          }
        }
      ]
    }
  }

  @Test func `starts, restarts and stops as the part changes`() async {
    let log = Collected<String>()
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [Follows(log)])
    #expect(lego.effectCount == 0)
    lego.build(.label("a"))
    while log.values.count < 1 { await Task.yield() }
    lego.build(.add(1))
    lego.build(.label("b"))
    while log.values.count < 3 { await Task.yield() }
    #expect(lego.effectCount == 1)
    lego.build(.label(""))
    #expect(lego.effectCount == 0)
    while log.values.count < 4 { await Task.yield() }
    #expect(Set(log.values) == ["start a", "stop a", "start b", "stop b"])
  }

  @Test func `ends with its token`() {
    let lego = Lego(.init(label: "a"), blueprint: Counter())
    let token = lego.follow(\.label) { _ in .run { _ in await Gate().pass() } }
    #expect(lego.effectCount == 1)
    token.cancel()
    #expect(lego.effectCount == 0)
    lego.build(.label("b"))
    #expect(lego.effectCount == 0)
  }
}

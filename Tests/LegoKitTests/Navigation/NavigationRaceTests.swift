import LegoKit
import RaceRounds
import Synchronization
import Testing

/// Tells a thread that the other is done.
private final class End: Sendable {
  let isReached = Atomic(false)
}

@Suite struct `A screen that goes while its effect answers` {
  private static let rounds = raceRounds(400)

  private static let removals: [(String, @Sendable (Lego<Page>, Int) -> Void)] = [
    (
      "pop",
      { lego, visit in
        lego.build(.path(.move(.push(.init(id: 1, visit: visit, mood: visit % 2)))))
        lego.build(.path(.move(.pop)))
      }
    ),
    (
      "close",
      { lego, visit in
        lego.build(.path(.move(.set([.init(id: 1, visit: visit), .init(id: 2, visit: visit)]))))
        lego.build(.path(.screen(1, .done)))
      }
    ),
    (
      "replace",
      { lego, visit in
        lego.build(.path(.move(.replace(.init(id: 1, visit: visit, mood: visit % 2)))))
        lego.build(.path(.move(.replace(.init(id: 2, visit: visit)))))
      }
    ),
    (
      "set",
      { lego, visit in
        lego.build(.path(.move(.set([.init(id: 2, visit: visit), .init(id: 1, visit: visit)]))))
        lego.build(.path(.move(.set([]))))
      }
    ),
    (
      "dismiss",
      { lego, visit in
        lego.build(.modals(.move(.present(.init(id: 1, visit: visit, mood: visit % 2)))))
        lego.build(.modals(.move(visit % 2 == 0 ? .dismiss : .dismissAll)))
      }
    ),
    (
      "parent",
      { lego, visit in
        lego.build(
          .path(
            .move(
              .push(.init(id: 3, visit: visit, path: [.init(id: 1, visit: visit, mood: 1)])))))
        lego.build(.path(.screen(3, .path(.screen(1, .listen)))))
        lego.build(.path(.screen(3, .done)))
      }
    ),
  ]

  /// Moves on one thread while others make the pages listen, and the radio sends.
  private static func race(
    _ lego: Lego<Page>, _ removal: @escaping @Sendable (Lego<Page>, Int) -> Void,
    sending: @escaping @Sendable () async -> Void
  ) async {
    let end = End()
    await withContractors {
      $0.problemSink = .nowhere
    } operation: {
      await withTaskGroup { group in
        group.addTask {
          for visit in 1...Self.rounds {
            removal(lego, visit)
            #expect(!lego.design.hasMistake)
          }
          end.isReached.store(true, ordering: .releasing)
        }
        group.addTask {
          while !end.isReached.load(ordering: .acquiring) {
            lego.build(.path(.screen(1, .listen)))
            lego.build(.modals(.screen(1, .listen)))
            await sending()
          }
        }
      }
      lego.build(.path(.move(.popToRoot)))
      lego.build(.modals(.move(.dismissAll)))
    }
  }

  @Test(arguments: removals.indices)
  func `gets nothing of it, and leaves nothing`(index: Int) async {
    let (_, removal) = Self.removals[index]
    let radio = PassthroughSubject<Int, Never>()
    let lego = Lego(Page.Design(id: 0), feature: Page.feature(radio))
    await Self.race(lego, removal) { radio.send(1) }
    #expect(lego.effectCount == 0)
    #expect(lego.design == Page.Design(id: 0))
    // A task of the store may still tell what was built at the same time.
    let deadline = ContinuousClock.now + .seconds(120)
    while !lego.isIdle, ContinuousClock.now < deadline { await Task.yield() }
    #expect(lego.isIdle)
  }

  @Test(arguments: removals.indices)
  func `gets nothing of its task, and keeps nothing alive`(index: Int) async {
    final class Marker: Sendable {}
    let (_, removal) = Self.removals[index]
    weak var kept: Marker?
    do {
      let marker = Marker()
      kept = marker
      let lego = Lego(
        Page.Design(id: 0),
        feature: Page.feature { heard in
          .run { send in
            await Task.yield()
            withExtendedLifetime(marker) { send(heard(1)) }
          }
        })
      await Self.race(lego, removal) { await Task.yield() }
      #expect(lego.effectCount == 0)
      await lego.close()
      #expect(lego.isIdle)
      #expect(!lego.design.hasMistake)
    }
    // Tasks that were cancelled may still be on their way out.
    let deadline = ContinuousClock.now + .seconds(120)
    while kept != nil, ContinuousClock.now < deadline { await Task.yield() }
    #expect(kept == nil)
  }
}

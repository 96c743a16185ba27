import LegoKit

// A page with pages above it and over it, each of which may have such pages itself.

/// A page, which hears a radio by an effect, and by what follows from its mood.
struct Page: Blueprint {
  struct Design: Equatable, Sendable, Identifiable, Codable {
    let id: Int
    /// Which of all pages with this id it is.
    var visit = 0
    var mood = 0
    var heard: [Int] = []
    var isMistaken = false
    var path: Stack<Design> = []
    var modals: Presented<Design> = []

    var tuning: Tuning { Tuning(visit: visit, mood: mood) }

    /// Whether it or a page of it has got what was meant for another.
    var hasMistake: Bool {
      isMistaken || path.contains(where: \.hasMistake)
        || modals.screens.contains(where: \.hasMistake)
    }
  }

  struct Tuning: Equatable, Sendable {
    let visit: Int
    let mood: Int
  }

  indirect enum Change: Equatable, Sendable, Codable, PayloadReadable {
    case listen
    case heard(visit: Int, Int)
    case mood(Int)
    case done
    case open(Design)
    case over(Design)
    case leave
    case path(StackChange<Page>)
    case modals(PresentedChange<Page>)

    var payload: Any? {
      switch self {
      case .path(let change): change
      case .modals(let change): change
      case .listen, .heard, .mood, .done, .open, .over, .leave: nil
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .heard(let visit, let value):
      if visit != design.visit { design.isMistaken = true }
      design.heard.append(value)
    case .mood(let mood): design.mood = mood
    case .listen, .done, .open, .over, .leave, .path, .modals: break
    }
  }

  /// A page whose pages are opened and closed by what happens in them.
  static func feature(_ radio: PassthroughSubject<Int, Never>) -> Feature<Page> {
    feature { .publisher(radio.map($0)) }
  }

  /// A page that hears by an effect.
  static func feature(
    _ hear: @escaping @Sendable (@escaping @Sendable (Int) -> Change) -> Effect<Change>
  ) -> Feature<Page> {
    Feature(
      Page(),
      adaptors: [
        Answering { page, change in
          change == .listen ? hear { .heard(visit: page.visit, $0) }.id("ear") : .none
        },
        Moody(hear),
      ]
    )
    .stack(\.path, .case(Change.path), .deferred { feature(hear) })
    .presented(\.modals, .case(Change.modals), .deferred { feature(hear) })
    .navigation(\.path) { change in
      switch change {
      case .open(let page), .path(.screen(_, .open(let page))): .push(page)
      case .path(.screen(let id, .done)): .close(id)
      case .path(.screen(_, .leave)): .popToRoot
      default: nil
      }
    }
    .navigation(\.modals) { change in
      switch change {
      case .over(let page), .modals(.screen(_, .over(let page))): .present(page)
      case .modals(.screen(let id, .done)): .close(id)
      case .modals(.screen(_, .leave)): .dismissAll
      default: nil
      }
    }
  }
}

/// Hears for as long as the page is in a mood.
private final class Moody: Adaptor<Page> {
  typealias Hear = @Sendable (@escaping @Sendable (Int) -> Page.Change) -> Effect<Page.Change>
  private let hear: Hear

  init(_ hear: @escaping Hear) {
    self.hear = hear
  }

  override var follows: [Follow<Page>] {
    [
      Follow(\.tuning) { [hear] tuning in
        tuning.mood == 0 ? .none : hear { .heard(visit: tuning.visit, $0 * 1_000) }
      }
    ]
  }
}

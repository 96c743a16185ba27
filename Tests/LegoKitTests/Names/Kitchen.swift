import LegoKit

// A kitchen in the words of RoutingReducer: a menu as the root, dishes and timers as its routes.

enum Kitchen {
  struct Menu: Blueprint {
    struct Design: Equatable, Sendable, Identifiable {
      let id: Int
      var opened = 0
    }

    enum Change: Equatable, Sendable {
      case open(Screen)
      case show(Screen)
    }

    func change(_ design: inout Design, on change: Change) { design.opened += 1 }
  }

  struct Dish: Blueprint {
    struct Design: Equatable, Sendable, Identifiable {
      var id: Int
      var note = ""
      var isServed = false
    }

    enum Change: Equatable, Sendable {
      case note(String)
      case cook
      case served
      case done
    }

    func change(_ design: inout Design, on change: Change) {
      switch change {
      case .note(let note): design.note = note
      case .served: design.isServed = true
      case .cook, .done: break
      }
    }
  }

  final class Cook: Adaptor<Dish> {
    override func effect(_ design: Dish.Design, on change: Dish.Change) -> Effect<Dish.Change> {
      change == .cook ? .send(.served).delay(for: .seconds(600)) : .none
    }
  }

  enum Screen: StyledScreen {
    case dish(Dish.Design)
    case timer(Dish.Design)

    var id: String {
      switch self {
      case .dish(let dish): "dish \(dish.id)"
      case .timer: "timer"  // Never twice.
      }
    }

    var style: PresentationStyle { if case .timer = self { .overlay } else { .sheet } }
    var dish: Dish.Design? { if case .dish(let dish) = self { dish } else { nil } }
    var timer: Dish.Design? { if case .timer(let timer) = self { timer } else { nil } }
  }

  enum ScreenChange: Equatable, Sendable {
    case dish(Dish.Change)
    case timer(Dish.Change)

    var dish: Dish.Change? { if case .dish(let change) = self { change } else { nil } }
    var timer: Dish.Change? { if case .timer(let change) = self { change } else { nil } }
  }

  typealias Rules = Flow<Menu, Screens<Screen, ScreenChange>>
}

extension Kitchen {
  static let screens: Feature<Screens<Screen, ScreenChange>> = {
    let dish = Feature(Dish(), adaptors: [Cook()])
    return Feature(Screens<Screen, ScreenChange>())
      .route(CasePath.case(Screen.dish, \.dish), CasePath.case(ScreenChange.dish, \.dish), dish)
      .route(.case(Screen.timer, \.timer), .case(ScreenChange.timer, \.timer), dish)
  }()

  static let feature: Feature<Rules> = .flow(
    root: Feature(Menu()), screens: screens,
    navigation: { change in
      switch change {
      case .root(.open(let screen)): .path(.push(screen))
      case .root(.show(let screen)): .modals(.present(screen))
      case .path(.screen(let id, .dish(.done))): .path(.close(id))
      default: nil
      }
    })

  static func lego() -> Lego<Rules> { Lego(.init(root: .init(id: 0)), feature: feature) }
}

func kitchenDish(_ id: Int) -> Kitchen.Screen { .dish(.init(id: id)) }

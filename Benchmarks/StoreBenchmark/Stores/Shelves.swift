import LegoKit

/// A screen with a path of further screens, each of which can have its own path.
struct ShelfRules: Blueprint {
  struct Design: Equatable, Sendable, Identifiable {
    let id: Int
    var count = 0
    var path: Stack<Design> = []

    /// A property whose value never changes in this benchmark.
    var isGreat: Bool { count > 1 << 60 }
  }

  indirect enum Change: Equatable, Sendable {
    case add(Int)
    case wait
    case path(StackChange<ShelfRules>)

    var path: StackChange<ShelfRules>? { if case .path(let change) = self { change } else { nil } }

    /// Returns a change to the first screen of a path, nested to the given depth.
    static func nested(_ depth: Int, _ change: Change) -> Change {
      (0..<depth).reduce(change) { change, _ in .path(.screen(0, change)) }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    if case .add(let amount) = change { design.count &+= amount }
  }

  /// Screens without effects.
  static let plain: Feature<ShelfRules> = Feature(ShelfRules())
    .stack(\.path, .case(Change.path, \.path), .deferred { plain })

  /// Screens that answer `wait` with an endless effect.
  static var waiting: Feature<ShelfRules> {
    Feature(ShelfRules()).stack(
      \.path, .case(Change.path, \.path), Feature(ShelfRules(), adaptors: [Waiter()]))
  }

  /// Screens with an adaptor that follows a property.
  static var followed: Feature<ShelfRules> {
    Feature(ShelfRules()).stack(
      \.path, .case(Change.path, \.path), Feature(ShelfRules(), adaptors: [Watcher()]))
  }
}

private final class Waiter: Adaptor<ShelfRules> {
  private let silence = PassthroughSubject<ShelfRules.Change, Never>()

  override func effect(
    _ design: ShelfRules.Design, on change: ShelfRules.Change
  ) -> Effect<ShelfRules.Change> {
    change == .wait ? .publisher(silence) : .none
  }
}

private final class Watcher: Adaptor<ShelfRules> {
  override var follows: [Follow<ShelfRules>] { [Follow(\.isGreat) { _ in .none }] }
}

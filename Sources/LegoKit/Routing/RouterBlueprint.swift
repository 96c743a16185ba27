/// The rules of a router's store, which takes states as they are.
struct RouterBlueprint<State: RouterState>: Blueprint {
  struct Change: Equatable, Sendable {
    let state: State
  }

  func change(_ design: inout State, on change: Change) { design = change.state }
}

import LegoKit

/// Measures a push and a pop on paths of several depths.
@concurrent func measureNavigation() async {
  Report.shared.begin(
    "a push and a pop on a path, off the main actor",
    "the two together; one observer, for which the store keeps the previous design")
  await measurePaths("at depth", ShelfRules.plain, target: 1.5)

  Report.shared.begin(
    "a push and a pop, with an effect under way in each screen below",
    "the two together; one observer")
  await measurePaths("with effects, at depth", ShelfRules.waiting, starting: .wait, target: 1.5)

  Report.shared.begin(
    "a push and a pop, with an effect that follows from each screen",
    "the two together; one observer")
  await measurePaths("with follows, at depth", ShelfRules.followed, target: 1.5)

  Report.shared.begin(
    "a push and a pop on the value, without a store",
    "the two together; a copy is kept during the measurement; above 32 screens, ID tables are used")
  var costs: [Cost] = []
  for depth in depths {
    let path = Stack((0..<depth).map { ShelfRules.Design(id: $0) })
    costs += await measure(
      Operation("the value, at depth \(depth)", count: 5_000) {
        for i in 0..<$0 {
          var copy = path
          copy.push(.init(id: -1 - i))
          look(copy.count)
          copy.pop()
          look(copy.count)
        }
      })
  }
  compare("depth 10, at depth 10,000", costs[3], to: costs[0], atMost: 1.5)
  compare("depth 100, at depth 10,000", costs[3], to: costs[1], atMost: 1.5)

  Report.shared.begin(
    "a change of a screen, off the main actor", "one observer; the path is 10,000 screens deep")
  let lego = store(ShelfRules.plain, depth: 10_000)
  let token = lego.onDesignChange { look($0.count) }
  _ = await measure(
    Operation("the screen on top", count: 1_250) {
      for i in 0..<$0 { lego.build(.path(.screen(9_999, .add(i | 1)))) }
    },
    Operation("the screen at the bottom", count: 1_250) {
      for i in 0..<$0 { lego.build(.path(.screen(0, .add(i | 1)))) }
    })
  withExtendedLifetime(token) {}
}

private let depths = [10, 100, 1_000, 10_000]

private func store(_ feature: Feature<ShelfRules>, depth: Int) -> Lego<ShelfRules> {
  Lego(
    ShelfRules.Design(id: -1, path: Stack((0..<depth).map { ShelfRules.Design(id: $0) })),
    feature: feature)
}

private func measurePaths(
  _ name: String, _ feature: Feature<ShelfRules>, starting change: ShelfRules.Change? = nil,
  target: Double
) async {
  let stores = depths.map { store(feature, depth: $0) }
  let tokens = stores.map { $0.onDesignChange { look($0.count) } }
  if let change {
    for (depth, store) in zip(depths, stores) {
      for id in 0..<depth { store.build(.path(.screen(id, change))) }
    }
  }
  var costs: [Cost] = []
  for (depth, store) in zip(depths, stores) {
    costs += await measure(
      Operation("\(name) \(depth)", count: 500) {
        for i in 0..<$0 {
          store.build(.path(.move(.push(.init(id: -1 - i)))))
          store.build(.path(.move(.pop)))
        }
      })
  }
  compare("depth 10, at depth 10,000", costs[3], to: costs[0], atMost: target)
  withExtendedLifetime(tokens) {}
}

/// Measures builds through scopes of nested screens.
@concurrent func measureNestedScopes() async {
  Report.shared.begin(
    "a build through scopes of screens within screens, off the main actor",
    "one observer of the whole; the scopes of all levels above are kept")
  for depth in [1, 2, 4, 8] {
    var design = ShelfRules.Design(id: 0)
    for _ in 0..<depth { design = .init(id: 0, path: [design]) }
    let whole = Lego(design, feature: ShelfRules.plain)
    let token = whole.onDesignChange { look($0.count) }
    let step: @Sendable (Int, ShelfRules.Change) -> ShelfRules.Change = { .path(.screen($0, $1)) }
    var scopes: [LegoScope<ShelfRules.Design, ShelfRules.Change>] = []
    for _ in 0..<depth {
      guard
        let scope = scopes.last.map({ $0.scope(\.path, id: 0, change: step) })
          ?? whole.scope(\.path, id: 0, change: step)
      else { return }
      scopes.append(scope)
    }
    guard let scope = scopes.last else { return }
    let costs = await measure(
      Operation("the whole's build, \(depth) deep", count: 1_000) {
        for i in 0..<$0 { whole.build(.nested(depth, .add(i | 1))) }
      },
      Operation("the scope's build, \(depth) deep", count: 1_000) {
        for i in 0..<$0 { scope.build(.add(i | 1)) }
      })
    compare("the whole's build", costs[1], to: costs[0], atMost: 1.5)
    withExtendedLifetime((token, scopes)) {}
  }
}

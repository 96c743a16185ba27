import LegoKit

/// Compares a build, with and without an observer, with the simplest possible store.
///
/// A build with an observer takes the store's lock three times: to apply the change, to remove it
/// from the queue, and to find the queue empty. The only allocation is the record in the queue.
@concurrent func measureBuilds() async {
  Report.shared.begin(
    "one build, off the main actor",
    "one thread builds; no adaptor, no service is replaced")
  let bare = BareStore { look($0) }
  let turns = TurnStore { look($0) }
  let lego = Lego(.init(), blueprint: Count())
  let token = lego.onDesignChange { look($0) }
  let quiet = Lego(.init(), blueprint: Count())
  let costs = await measure(
    Operation("a bare Mutex, one closure") { for i in 0..<$0 { bare.build(.add(i | 1)) } },
    Operation("Lego.build, one observer") { for i in 0..<$0 { lego.build(.add(i | 1)) } },
    Operation("Lego.build, no observer") { for i in 0..<$0 { quiet.build(.add(i | 1)) } },
    Operation("a bare Mutex, turns and a list of observers") {
      for i in 0..<$0 { turns.build(.add(i | 1)) }
    })
  compare("the bare Mutex, one observer", costs[1], to: costs[0], atMost: 15)
  compare(allocations: costs[1], atMost: 1)

  Report.shared.begin(
    "more observers, off the main actor", "each does one relaxed store; none was cancelled")
  for count in [1, 10, 1_000] {
    let store = Lego(.init(), blueprint: Count())
    let tokens = (0..<count).map { _ in store.onDesignChange { look($0) } }
    _ = await measure(
      Operation("\(count) observers", count: max(200, 100_000 / count)) {
        for i in 0..<$0 { store.build(.add(i | 1)) }
      }, rounds: 7)
    withExtendedLifetime(tokens) {}
  }
  withExtendedLifetime(token) {}
}

/// Measures builds of a part of the design.
@concurrent func measureParts() async {
  Report.shared.begin(
    "a build of a part, off the main actor", "one observer of the whole, none of the part")
  let whole = Lego(.init(), blueprint: Whole())
  let token = whole.onDesignChange { look($0.part) }
  let part = whole.scope(\.part, change: { Whole.Change.part($0) })
  let costs = await measure(
    Operation("the parent's build") { for i in 0..<$0 { whole.build(.part(.add(i | 1))) } },
    Operation("the scope's build") { for i in 0..<$0 { part.build(.add(i | 1)) } })
  compare("the parent's build", costs[1], to: costs[0], atMost: 1.5)
  withExtendedLifetime(token) {}
}

/// Measures builds of larger designs.
@concurrent func measureSizes() async {
  Report.shared.begin(
    "larger designs, one observer, off the main actor",
    "an observer makes the store compare designs, and so copy the part that changes")
  for size in [1_024, 32_768, 1_048_576] {
    let store = Lego(.init(bytes: Array(repeating: 0, count: size)), blueprint: Sized())
    let token = store.onDesignChange { look($0.count) }
    _ = await measure(
      Operation("\(size / 1024) KB, another part changes", count: 2_000) {
        for _ in 0..<$0 { store.build(.count) }
      },
      Operation("\(size / 1024) KB, the large part changes", count: 200) {
        for _ in 0..<$0 { store.build(.touch) }
      }, rounds: 7)
    withExtendedLifetime(token) {}
  }
}

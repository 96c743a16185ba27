import Observation
import Synchronization
import Testing

@testable import LegoKit

@Suite struct `Selecting a part` {
  @Test func `tells it only when it changed`() {
    let lego = Lego(.init(), blueprint: AppBlueprint())
    let names = Collected<String>()
    let token = lego.observe(\.house.name) { names.append($0) }
    lego.build(.house(.city("Springfield")))
    lego.build(.house(.name("Home")))
    lego.build(.house(.name("Home")))
    lego.build(.house(.name("Hut")))
    #expect(names.values == ["Home", "Hut"])
    token.cancel()
    lego.build(.house(.name("Shed")))
    #expect(names.values.count == 2)
  }

  @Test func `as a sequence starts with the current value`() async {
    let lego = Lego(.init(), blueprint: AppBlueprint())
    lego.build(.house(.name("Home")))
    var names = lego.observe(\.house.name).makeAsyncIterator()
    #expect(await names.next() == "Home")
    lego.build(.house(.city("Springfield")))
    lego.build(.house(.name("Hut")))
    #expect(await names.next() == "Hut")
  }

  @Test func `each observer has a token of its own`() {
    let lego = Lego(.init(), blueprint: Counter())
    let seen = Collected<String>()
    let tokens = ["a", "b", "c"].map { name in lego.onDesignChange { _ in seen.append(name) } }
    tokens[1].cancel()
    lego.build(.add(1))
    #expect(seen.values == ["a", "c"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `one that comes while a change is told does not see older designs`() {
    let lego = Lego(.init(), blueprint: Counter())
    let seen = Collected<Int>()
    let late = Collected<AnyCancellable>()
    let token = lego.onDesignChange { design in
      guard design.count == 1 else { return }
      lego.build(.add(1))
      late.append(lego.onDesignChange { seen.append($0.count) })
      lego.build(.add(1))
    }
    lego.build(.add(1))
    #expect(seen.values == [3])
    withExtendedLifetime(token) {}
  }
}

@Suite struct `The changes of a store` {
  @Test func `come in order and without a gap to a slow consumer`() async {
    var lego: Lego<Counter>? = Lego(.init(), blueprint: Counter())
    let changes = lego?.changes.makeAsyncIterator()
    for number in 1...1_000 { lego?.build(.add(number)) }
    lego = nil
    var received: [Counter.Change] = []
    var iterator = changes
    while let change = await iterator?.next() { received.append(change) }
    #expect(received == (1...1_000).map { .add($0) })
  }
}

@Suite struct `Observation` {
  @Test(.timeLimit(.minutes(1)))
  func `sees the designs of a store`() async {
    let lego = Lego(.init(), blueprint: Counter())
    let task = Task {
      var last = -1
      for await count in Observations({ lego.design.count }) {
        #expect(count >= last)
        last = count
        if count >= 50 { break }
      }
      return last
    }
    // A change that comes while the reader registers is seen with the next one.
    let builder = Task {
      while !Task.isCancelled {
        lego.build(.add(1))
        await Task.yield()
      }
    }
    #expect(await task.value >= 50)
    builder.cancel()
  }

  @Test func `tells of the next change after one that came while the reader registered`() {
    let lego = Lego(.init(), blueprint: Counter())
    let calls = Atomic(0)
    withObservationTracking {
      _ = lego.design
      lego.build(.add(1))
    } onChange: {
      calls.add(1, ordering: .relaxed)
    }
    lego.build(.add(1))
    let count = calls.load(ordering: .relaxed)
    #expect(count == 1)
  }

  @Test func `tells of a change once`() {
    let lego = Lego(.init(), blueprint: Counter())
    let calls = Atomic(0)
    withObservationTracking {
      _ = lego.design
    } onChange: {
      calls.add(1, ordering: .relaxed)
    }
    lego.build(.add(1))
    lego.build(.add(1))
    let count = calls.load(ordering: .relaxed)
    #expect(count == 1)
  }
}

@Suite struct `A scope` {
  let lego = Lego(.init(), blueprint: AppBlueprint())

  @Test func `shows and builds a part`() {
    let house: LegoScope<HouseBlueprint.Design, HouseBlueprint.Change> =
      lego.scope(\.house, change: { .house($0) })
    house.build(.name("Home"))
    house.glue(\.address, change: { .address($0) }).wrappedValue = "12 Main St"
    house.glue(\.submissions, change: .submit).wrappedValue = 7
    #expect(house.design == lego.design.house)
    #expect(lego.design.house.name == "Home")
    #expect(lego.design.house.address == "12 Main St")
    #expect(lego.design.house.submissions == 1)
  }

  @Test func `tells only what concerns it`() async {
    let house = lego.scope(\.house, change: AppBlueprint.Change.house)
    let names = Collected<String>()
    let designs = Collected<String>()
    let tokens = [
      house.observe(\.name) { names.append($0) },
      house.onDesignChange { designs.append($0.name) },
    ]
    lego.build(.permission(.requestCameraAccess))
    house.build(.name("Home"))
    house.build(.city("Springfield"))
    #expect(names.values == ["Home"])
    #expect(designs.values == ["Home", "Home"])
    var sequence = house.observe(\.city).makeAsyncIterator()
    #expect(await sequence.next() == "Springfield")
    withExtendedLifetime(tokens) {}
  }

  @Test func `has scopes of its own`() {
    let house = lego.scope(\.house, change: AppBlueprint.Change.house)
    let name = house.scope(\.name, change: HouseBlueprint.Change.name)
    let seen = Collected<String>()
    let token = name.onDesignChange { seen.append($0) }
    name.build("Home")
    house.build(.city("Springfield"))
    #expect(name.design == "Home")
    #expect(seen.values == ["Home"])
    withExtendedLifetime(token) {}
  }
}

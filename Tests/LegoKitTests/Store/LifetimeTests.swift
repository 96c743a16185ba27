import Synchronization
import Testing

@testable import LegoKit

@Suite struct `The life of a store` {
  @Test func `a pending future does not keep the store`() {
    let promises = Collected<Future<Counter.Change, Never>.Promise>()
    let answers = Answers { _, _ in
      Future { promises.append($0) }.eraseToAnyPublisher()
    }
    var lego: Lego<Counter>? = Lego(.init(), blueprint: Counter(), adaptors: [answers])
    weak let freed = lego
    lego?.build(.add(1))
    #expect(lego?.effectCount == 1)
    lego = nil
    #expect(freed == nil)
    // A promise that is kept too late has no effect.
    promises.values.first?(.success(.add(1)))
  }

  @Test func `a subscription ends when its publisher does`() {
    let subject = PassthroughSubject<Counter.Change, Never>()
    let answers = Answers { _, change in
      change == .label("listen") ? subject.eraseToAnyPublisher() : .empty
    }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [answers])
    lego.build(.label("listen"))
    #expect(lego.effectCount == 1)
    subject.send(.add(1))
    subject.send(.add(2))
    #expect(lego.design.count == 3)
    subject.send(completion: .finished)
    #expect(lego.effectCount == 0)
    subject.send(.add(4))
    #expect(lego.design.count == 3)
  }

  @Test func `a cancelled build applies nothing more`() {
    let subject = PassthroughSubject<Counter.Change, Never>()
    let answers = Answers { _, change in
      change == .label("listen") ? subject.eraseToAnyPublisher() : .empty
    }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [answers])
    let build = lego.build(.label("listen"))
    subject.send(.add(1))
    build.cancel()
    subject.send(.add(1))
    #expect(lego.design.count == 1)
    #expect(lego.effectCount == 0)
  }

  @Test func `a build that is cancelled while it is told is not answered`() async {
    let adaptors: [Adaptor<Counter>] = [
      Answers { _, change in change == .label("go") ? Changes(Just(.add(10))) : .empty },
      Answers { _, change in
        change == .label("go") ? Just(.add(20)).eraseToAnyPublisher() : .empty
      },
      Effects { _, change in change == .label("go") ? .run { $0(.add(100)) } : .none },
      Effects { _, change in change == .label("go") ? .send(.add(200)) : .none },
    ]
    let lego = Lego(.init(), blueprint: Counter(), adaptors: adaptors)
    let build = Mutex<Build?>(nil)
    let token = lego.onDesignChange { design in
      if design.label == "go" {
        build.withLock { $0 }?.cancel()
      } else {
        // It is delivered after this change, which leaves time to store it.
        let started = lego.build(.label("go"))
        build.withLock { $0 = started }
      }
    }
    lego.build(.add(1))
    #expect(lego.design == .init(count: 1, label: "go"))
    #expect(lego.effectCount == 0)
    await build.withLock { $0 }?.finished()
    #expect(lego.design.count == 1)
    #expect(lego.isIdle)
    withExtendedLifetime(token) {}
  }

  @Test func `a build in the queue that is cancelled is not answered`() {
    let answers = Answers { _, change in
      change == .label("go") ? Just(.add(10)).eraseToAnyPublisher() : .empty
    }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [answers])
    let token = lego.onDesignChange { design in
      if design.count == 1, design.label.isEmpty { lego.build(.label("go")).cancel() }
    }
    lego.build(.add(1))
    #expect(lego.design == .init(count: 1, label: "go"))
    // Another is answered as ever.
    lego.build(.label("go"))
    #expect(lego.design.count == 11)
    withExtendedLifetime(token) {}
  }
}

@Suite struct `The designs of a store` {
  @Test func `start with the current one and end with the store`() async {
    var lego: Lego<Counter>? = Lego(.init(count: 7), blueprint: Counter())
    var designs = lego?.designs.makeAsyncIterator()
    #expect(await designs?.next()?.count == 7)
    lego?.build(.add(1))
    #expect(await designs?.next()?.count == 8)
    lego = nil
    #expect(await designs?.next() == nil)
  }

  @Test func `are the latest for a slow consumer`() async {
    let lego = Lego(.init(), blueprint: Counter())
    var designs = lego.designs.makeAsyncIterator()
    for _ in 0..<100 { lego.build(.add(1)) }
    #expect(await designs.next()?.count == 100)
  }
}
